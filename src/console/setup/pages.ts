// Merchants, their endpoints, groups, keys, limits, lists and looks.

import type { ConsolePage } from '../page.ts';

export const setupPages: readonly ConsolePage[] = [];
