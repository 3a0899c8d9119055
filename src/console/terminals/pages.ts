// Terminals, routes, and where a card would go.

import type { ConsolePage } from '../page.ts';

export const terminalPages: readonly ConsolePage[] = [];
