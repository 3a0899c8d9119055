// What a running gateway leaves in its data folder for its administrator, and what both of them know of each other.

import { join } from 'node:path';
import type { ProcessIdentity } from '../storage/embedded/process-identity.ts';

/** In which a command says who gave it, percent-encoded. */
export const CALLER_HEADER = 'tender-caller';

/** How a command on this machine finds the gateway, and knows whether it is still there. */
export type AdminNote = ProcessIdentity & {
  readonly url: string;
  readonly token: string;
  readonly database: string;
};

/** Where a command finds the door of the gateway that runs on a data folder. */
export function adminNotePath(dataFolder: string): string {
  return join(dataFolder, 'admin.json');
}
