// Every operation of the interface, in the specification's order. A new one is a file beside its siblings and a line
// here.

import { uploadCresResult } from './3ds/v1/upload-cres-result.ts';
import { uploadMethodUrlResult } from './3ds/v1/upload-method-url-result.ts';
import { uploadParesResult } from './3ds/v1/upload-pares-result.ts';
import type { Operation } from './operation.ts';
import { accountVerification } from './v2/account-verification.ts';
import { accountVerificationForm } from './v2/account-verification-form.ts';
import { capture } from './v2/capture.ts';
import { createCardRef } from './v2/create-card-ref.ts';
import { getCardInfo } from './v2/get-card-info.ts';
import { makeRebill } from './v2/make-rebill.ts';
import { makeRebillPreauth } from './v2/make-rebill-preauth.ts';
import { makeRebillSale } from './v2/make-rebill-sale.ts';
import { panEligibilityBoth } from './v2/pan-eligibility/both.ts';
import { panEligibilityReceive } from './v2/pan-eligibility/receive.ts';
import { panEligibilitySend } from './v2/pan-eligibility/send.ts';
import { paymentForm } from './v2/payment-form.ts';
import { payout } from './v2/payout.ts';
import { payoutForm } from './v2/payout-form.ts';
import { preauth } from './v2/preauth.ts';
import { preauthForm } from './v2/preauth-form.ts';
import { returnPayment } from './v2/return.ts';
import { sale } from './v2/sale.ts';
import { saleForm } from './v2/sale-form.ts';
import { status } from './v2/status.ts';
import { syncAccountVerification } from './v2/sync/account-verification.ts';
import { transferByRefV2 } from './v2/transfer-by-ref.ts';
import { voidPayment } from './v2/void.ts';
import { createCardRefV4 } from './v4/create-card-ref.ts';
import { createRecurringPayment } from './v4/create-recurring-payment.ts';
import { payoutV4 } from './v4/payout.ts';
import { payoutCheck } from './v4/payout-check.ts';
import { payoutPay } from './v4/payout-pay.ts';
import { processRecurringPayment } from './v4/process-recurring-payment.ts';
import { saleV4 } from './v4/sale.ts';
import { statusV4 } from './v4/status.ts';
import { transfer } from './v4/transfer.ts';
import { transferByRef } from './v4/transfer-by-ref.ts';

export const operations = [
  uploadCresResult,
  uploadMethodUrlResult,
  uploadParesResult,
  accountVerificationForm,
  accountVerification,
  capture,
  createCardRef,
  getCardInfo,
  makeRebill,
  paymentForm,
  payoutForm,
  payout,
  preauthForm,
  preauth,
  returnPayment,
  saleForm,
  sale,
  status,
  voidPayment,
  createCardRefV4,
  createRecurringPayment,
  payoutCheck,
  payoutPay,
  payoutV4,
  processRecurringPayment,
  panEligibilitySend,
  panEligibilityReceive,
  panEligibilityBoth,
  transfer,
  transferByRef,
  // Additions to the specification.
  makeRebillSale,
  makeRebillPreauth,
  syncAccountVerification,
  transferByRefV2,
  saleV4,
  statusV4,
] as const satisfies readonly Operation[];

export type OperationName = (typeof operations)[number]['name'];
