// What postgres.mjs offers, for the tests that are typed.

import type { Client } from 'pg';

export type PrivatePostgres = {
  readonly url: string;
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Every process of the server at once. */
  kill(): void;
  stop(): Promise<void>;
};

export function findPostgres(): string | undefined;

export function startPostgres(options: {
  readonly binaries: string;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** The URL of the primary it is to follow. */
  readonly standbyOf?: string;
}): Promise<PrivatePostgres>;

export function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T>;

export function killServer(dataFolder: string): void;

/** Whom PostgreSQL runs as, when we are root. */
export function borrowedUser(): { readonly uid?: number; readonly gid?: number };
