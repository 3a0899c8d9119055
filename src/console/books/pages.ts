// The books: balances, verification, reconciliation, settlement, and the audit chain.

import type { ConsolePage } from '../page.ts';
import { auditPage } from './audit.ts';
import { balancesPage } from './balances.ts';
import { reconcilePage } from './reconcile.ts';
import { settlementPage } from './settlement.ts';
import { verifyPage } from './verify.ts';

export const booksPages: readonly ConsolePage[] = [balancesPage, verifyPage, reconcilePage, settlementPage, auditPage];
