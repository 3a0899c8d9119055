// What a sandbox has to play with: faults of banks and networks, test cards, the clock.

import type { ConsolePage } from '../page.ts';

export const sandboxPages: readonly ConsolePage[] = [];
