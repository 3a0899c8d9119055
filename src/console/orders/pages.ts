// Orders: finding them, their stories, and what people do with their money.

import type { ConsolePage } from '../page.ts';
import { exportPage } from './export-page.ts';
import { orderPage } from './order-page.ts';
import { ordersPage } from './orders-page.ts';
import { payoutsPage } from './payouts-page.ts';
import { queuePage } from './queue-page.ts';
import { waitingPage } from './waiting-page.ts';

export const orderPages: readonly ConsolePage[] = [
  ordersPage,
  exportPage,
  orderPage,
  waitingPage,
  payoutsPage,
  queuePage,
];
