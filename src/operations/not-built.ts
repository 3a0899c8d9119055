// The operations that are declared, validated and documented, but not built yet. They answer `not-built`.

import type { OperationName } from './index.ts';

export const notBuilt: readonly OperationName[] = [
  'TDS_UPLOAD_CRES_RESULT',
  'TDS_UPLOAD_METHOD_URL_RESULT',
  'TDS_UPLOAD_PARES_RESULT',
  'ACCOUNT_VERIFICATION_FORM',
  'PAYMENTFORM',
  'PAYOUTFORM',
  'PAYOUT',
  'PREAUTHFORM',
  'SALEFORM',
  'CARDREF_V4',
  'CREATE_RP_V4',
  'PAYOUT_V4_CHECK',
  'PAYOUT_V4_PAY',
  'PAYOUT_V4',
  'PROCESS_RP_V4',
  'PAN_ELIGIBILITY_SEND',
  'PAN_ELIGIBILITY_RECEIVE',
  'PAN_ELIGIBILITY_BOTH',
  'TRANSFER',
  'TRANSFER_BY_REF',
];
