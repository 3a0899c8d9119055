// The books: balances, verification, reconciliation, settlement, and the audit chain.

import type { ConsolePage } from '../page.ts';

export const booksPages: readonly ConsolePage[] = [];
