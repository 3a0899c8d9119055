// Every verb of administration, once.

import { listAudit } from './audit.ts';
import { deleteCardReference, listCardReferences } from './cards.ts';
import { approvePayout } from './payouts.ts';
import { listStuck, settleStuck } from './stuck.ts';
import { rotateDataKey, rotateKeyEncryptionKey, showVault } from './vault.ts';

export const verbs = [
  showVault,
  rotateDataKey,
  rotateKeyEncryptionKey,
  approvePayout,
  listCardReferences,
  deleteCardReference,
  listStuck,
  settleStuck,
  listAudit,
] as const;

/** The words commands begin with, and what they are about. */
export const nouns = {
  vault: 'see and change the keys that card numbers are sealed under',
  payout: 'approve payouts that wait for a confirmation',
  card: 'list and delete the references merchants have for stored cards',
  stuck: 'list and settle transactions the bank gave no answer about',
  audit: 'see who changed what and who looked at cards',
} as const;
