// A page on which a merchant's developer sends a signed request and sees each step.

import type { ConsolePage } from '../page.ts';

export const trialPages: readonly ConsolePage[] = [];
