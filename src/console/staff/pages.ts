// People and their roles.

import type { ConsolePage } from '../page.ts';

export const staffPages: readonly ConsolePage[] = [];
