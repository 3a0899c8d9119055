// The note a running gateway writes into its data folder, so that commands on this machine find its door.

import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../storage/embedded/process-identity.ts';

/** The path below which verbs are asked for. */
export const ADMIN_API = '/admin/api/';

/** The header in which a command says who gave it, percent-encoded. */
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

/** Where a gateway on a database server leaves the server's name, without password: it stays when the gateway stops. */
export function serverNotePath(dataFolder: string): string {
  return join(dataFolder, 'database-server');
}

/** The user this process runs as. */
export function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
