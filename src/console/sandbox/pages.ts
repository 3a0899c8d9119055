// What a sandbox has to play with: orders to make, faults of banks and networks, test cards, the clock.

import type { ConsolePage } from '../page.ts';
import { bankFaultsPage } from './bank-faults.ts';
import { networkFaultsPage } from './network-faults.ts';
import { sandboxPage } from './overview.ts';

export const sandboxPages: readonly ConsolePage[] = [sandboxPage, bankFaultsPage, networkFaultsPage];
