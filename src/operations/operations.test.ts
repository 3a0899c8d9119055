import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { canonicalName } from './form.ts';
import { operations } from './index.ts';
import type { Operation } from './operation.ts';

const all: readonly Operation[] = operations;

const SPECIFIED = `
/api/3ds/v1/upload-cres-result TDS_UPLOAD_CRES_RESULT C1 TdsCResResultRequest AsyncResponse
/api/3ds/v1/upload-method-url-result TDS_UPLOAD_METHOD_URL_RESULT C1 TdsMethodUrlResultRequest AsyncResponse
/api/3ds/v1/upload-pares-result TDS_UPLOAD_PARES_RESULT C1 TdsPaResResultRequest AsyncResponse
/api/v2/account-verification-form ACCOUNT_VERIFICATION_FORM C2 AccountVerificationFormRequest AsyncCheckoutFormRedirect
/api/v2/account-verification ACCOUNT_VERIFICATION C2 AccountVerificationRequest AsyncResponse
/api/v2/capture CAPTURE C3 CaptureRequest AsyncResponse
/api/v2/create-card-ref CARDREF C1 CreateCardRefRequest CardRefAsyncResponse
/api/v2/get-card-info CARDINFO C6 GetCardInfoRequest CardInfoAsyncResponse
/api/v2/make-rebill REBILL C4 RebillRequest AsyncResponse
/api/v2/payment-form PAYMENTFORM open:C5 PaymentFormRequest AsyncCheckoutFormRedirect
/api/v2/payout-form PAYOUTFORM open:either PayoutFormRequest AsyncCheckoutFormRedirect
/api/v2/payout PAYOUT HMAC-SHA1 PayoutRequest AsyncResponse
/api/v2/preauth-form PREAUTHFORM C5 AuthFormRequest AsyncCheckoutFormRedirect
/api/v2/preauth PREAUTH C5 AuthRequest AsyncResponse
/api/v2/return RETURN C3 ReturnRequest AsyncResponse
/api/v2/sale-form SALEFORM C5 SaleFormRequest AsyncCheckoutFormRedirect
/api/v2/sale SALE C5 SaleRequest AsyncResponse
/api/v2/status STATUS C1 StatusRequest StatusResponse
/api/v2/void VOID C1 VoidRequest AsyncResponse
/api/v4/create-card-ref CARDREF_V4 RSA-SHA256 CreateCardRefV4Request CardRefV4AsyncResponse
/api/v4/create-recurring-payment CREATE_RP_V4 RSA-SHA256 RecurringPaymentForCreation CreateRecurringPaymentResponse
/api/v4/payout-check PAYOUT_V4_CHECK RSA-SHA256 PayoutCheckRequest AsyncResponse
/api/v4/payout-pay PAYOUT_V4_PAY RSA-SHA256 PayoutPayRequest AsyncResponse
/api/v4/payout PAYOUT_V4 RSA-SHA256 PayoutV4Request AsyncResponse
/api/v4/process-recurring-payment PROCESS_RP_V4 RSA-SHA256 ProcessRecurringPaymentRequest ProcessRecurringPaymentResponse
/api/v2/pan-eligibility/send PAN_ELIGIBILITY_SEND HMAC-SHA1 PanEligibilitySendRequest AsyncResponse
/api/v2/pan-eligibility/receive PAN_ELIGIBILITY_RECEIVE HMAC-SHA1 PanEligibilityReceiveRequest AsyncResponse
/api/v2/pan-eligibility/both PAN_ELIGIBILITY_BOTH HMAC-SHA1 PanEligibilityBothRequest AsyncResponse
/api/v4/transfer TRANSFER RSA-SHA256 TransferRequest AsyncResponse
/api/v4/transfer-by-ref TRANSFER_BY_REF RSA-SHA256 TransferByRefRequest AsyncResponse
`;

const ADDED = `
/api/v2/make-rebill-sale REBILL_SALE C4 RebillSaleRequest AsyncResponse
/api/v2/make-rebill-preauth REBILL_PREAUTH C4 RebillPreauthRequest AsyncResponse
/api/v2/sync/account-verification SYNC_ACCOUNT_VERIFICATION C2 SyncAccountVerificationRequest StatusResponse
/api/v2/transfer-by-ref TRANSFER_BY_REF_V2 C7 TransferByRefV2Request AsyncResponse
/api/v4/sale SALE_V4 RSA-SHA256 SaleV4Request AsyncResponse
/api/v4/status STATUS_V4 RSA-SHA256 StatusV4Request StatusResponse
`;

function brief({ path, name, auth, schema, response }: Operation): string {
  const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
  const signing = scheme.scheme === 'control' ? scheme.formula : scheme.method;
  return [path, name, auth.scheme === 'open' ? `open:${signing}` : signing, schema, response.name].join(' ');
}

const unique = (values: readonly string[]) => new Set(values).size === values.length;

describe('the list of operations', () => {
  test('is the one of the specification, in its order, and the siblings of pan-eligibility', () => {
    expect(all.filter(({ isAddition }) => !isAddition).map(brief)).toEqual(SPECIFIED.trim().split('\n'));
  });

  test('has the additions that public clients call, behind the others', () => {
    const added = ADDED.trim().split('\n');
    expect(all.filter(({ isAddition }) => isAddition).map(brief)).toEqual(added);
    expect(all.slice(-added.length).map(brief)).toEqual(added);
  });

  test('only the recurring ones take no endpoint group', () => {
    const ungrouped = all.filter(({ groups }) => !groups).map(({ name }) => name);
    expect(ungrouped).toEqual(['CREATE_RP_V4', 'PROCESS_RP_V4']);
  });

  test('whatever makes something answers a repeat as before', () => {
    const makers = all.filter(({ request }) => 'clientOrderId' in request.fields && !('orderId' in request.fields));
    expect(makers.filter(({ again }) => again === undefined).map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ again }) => again)).toEqual(makers);
  });

  test('names, paths and request schemas are unique', () => {
    expect(unique(all.map(({ name }) => name))).toBe(true);
    expect(unique(all.map(({ path }) => path))).toBe(true);
    expect(unique(all.map(({ schema }) => schema))).toBe(true);
  });

  test.each(all.map((operation) => [operation.path, operation] as const))(
    '%s lives in the file of that path',
    (path) => {
      const file = fileURLToPath(new URL(`.${path.replace('/api', '')}.ts`, import.meta.url));
      expect(existsSync(file)).toBe(true);
    },
  );

  test.each(all.map((operation) => [operation.name, operation] as const))(
    '%s carries what its control covers',
    (_, operation) => {
      const { auth, request } = operation;
      const control = auth.scheme === 'open' ? auth.ifSigned : auth;
      if (control.scheme !== 'control') return;
      const carried = Object.values(request.fields).map((field) => canonicalName(field.wire));
      const covered = control.over.filter((name) => name !== 'endpointId');
      expect(carried).toEqual(expect.arrayContaining([...covered, 'control']));
    },
  );
});
