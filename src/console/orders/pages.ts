// Orders: finding them, their stories, and what people do with their money.

import type { ConsolePage } from '../page.ts';

export const orderPages: readonly ConsolePage[] = [];
