// What every verb that makes or changes orders needs: the store, the door, and the work that follows.

import type { OrderStore } from '../../storage/store.ts';
import type { CodeSealing } from '../../vault/security-codes.ts';
import type { Vault } from '../../vault/vault.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import type { OrderIds } from '../node/order-ids.ts';
import type { OpenTerminals } from '../terminals/terminal.ts';
import type { Door } from './door.ts';
import type { Work } from './work.ts';

export type OrderParts = {
  readonly codes: CodeSealing;
  readonly configuration: LiveConfiguration;
  readonly door: Door;
  readonly ids: OrderIds;
  /** Names this process in leases. */
  readonly instance: string;
  readonly store: OrderStore;
  readonly terminals: OpenTerminals;
  readonly vault: Vault;
  readonly work: Work;
};
