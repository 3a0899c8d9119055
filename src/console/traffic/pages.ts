// What goes in and out: refused requests, callbacks, recurring payments.

import type { ConsolePage } from '../page.ts';

export const trafficPages: readonly ConsolePage[] = [];
