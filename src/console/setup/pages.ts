// Merchants, their endpoints, groups, keys, limits, lists and looks.

import type { ConsolePage } from '../page.ts';
import { endpointPage } from './endpoint.ts';
import { groupsPage } from './groups.ts';
import { keysPage } from './keys.ts';
import { limitsPage } from './limits.ts';
import { listsPage } from './lists.ts';
import { lookColoursPage, lookLogoPage, lookPage } from './look.ts';
import { merchantPage } from './merchant.ts';
import { merchantsPage } from './merchants.ts';

export const setupPages: readonly ConsolePage[] = [
  merchantsPage,
  merchantPage,
  keysPage,
  endpointPage,
  lookPage,
  lookColoursPage,
  lookLogoPage,
  groupsPage,
  limitsPage,
  listsPage,
];
