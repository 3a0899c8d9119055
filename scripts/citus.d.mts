// What citus.mjs offers, for the tests that are typed.
import type { PrivatePostgres } from './postgres.d.mts';

export type PrivateCitus = {
  readonly urls: readonly string[];
  readonly servers: readonly PrivatePostgres[];
  stop(): Promise<void>;
};

export function findCitus(): string | undefined;

export function startCitus(options: {
  readonly binaries: string;
  readonly servers?: number;
  readonly settings?: Readonly<Record<string, string | number>>;
}): Promise<PrivateCitus>;

export function joinServers(urls: readonly string[]): Promise<void>;
