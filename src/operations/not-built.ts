// The operations that are declared, validated and documented, but not built yet. They answer `not-built`.

import type { OperationName } from './index.ts';

export const notBuilt: readonly OperationName[] = [
  'TDS_UPLOAD_CRES_RESULT',
  'TDS_UPLOAD_METHOD_URL_RESULT',
  'TDS_UPLOAD_PARES_RESULT',
];
