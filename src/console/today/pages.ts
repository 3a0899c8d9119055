// The overview: what is going on now.

import type { ConsolePage } from '../page.ts';
import { overviewPage } from './overview-page.ts';

export const todayPages: readonly ConsolePage[] = [overviewPage];
