// People and their roles, and what the installation runs with.

import type { ConsolePage } from '../page.ts';
import { staffListPage } from './people.ts';
import { personPage } from './person.ts';
import { vaultPage } from './vault.ts';

export const staffPages: readonly ConsolePage[] = [staffListPage, personPage, vaultPage];
