// The operations that are declared, validated and documented, but not built yet. They answer `not-built`.

import type { OperationName } from './index.ts';

export const notBuilt: readonly OperationName[] = [];
