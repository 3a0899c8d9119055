// What goes in and out: refused requests, callbacks, recurring payments, stored cards, and a merchant's statement.

import type { ConsolePage } from '../page.ts';
import { callbackPage, callbacksPage } from './callbacks.ts';
import { cardReferencesPage } from './card-references.ts';
import { oneRecurringPage, recurringPage } from './recurring.ts';
import { requestPage } from './request.ts';
import { requestsPage, strangersPage } from './requests.ts';
import { statementFile, statementPage } from './statement.ts';

export const trafficPages: readonly ConsolePage[] = [
  requestsPage,
  strangersPage,
  requestPage,
  callbacksPage,
  callbackPage,
  recurringPage,
  oneRecurringPage,
  cardReferencesPage,
  statementPage,
  statementFile,
];
