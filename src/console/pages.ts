// Every page of the console, in the order of the menu.

import { booksPages } from './books/pages.ts';
import { orderPages } from './orders/pages.ts';
import type { ConsolePage } from './page.ts';
import { sandboxPages } from './sandbox/pages.ts';
import { setupPages } from './setup/pages.ts';
import { staffPages } from './staff/pages.ts';
import { terminalPages } from './terminals/pages.ts';
import { todayPages } from './today/pages.ts';
import { trafficPages } from './traffic/pages.ts';
import { trialPages } from './trial/pages.ts';

export const allPages: readonly ConsolePage[] = [
  ...todayPages,
  ...orderPages,
  ...trafficPages,
  ...trialPages,
  ...setupPages,
  ...terminalPages,
  ...booksPages,
  ...sandboxPages,
  ...staffPages,
];
