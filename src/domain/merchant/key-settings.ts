// The settings of keys that merchants sign with; each has a column of its name in table `merchant_keys`.

import { type SettingsOf, setting } from './setting.ts';
import { operationName, several } from './setting-kinds.ts';

export const keySettings = [
  setting('operations', several(operationName, 'all'), {
    default: [],
    says: 'operations it may sign, such as SALE,STATUS',
  }),
] as const;

export type KeySettings = SettingsOf<typeof keySettings>;
