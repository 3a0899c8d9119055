// What postgres.mjs offers, for the tests that are typed.

export type PrivatePostgres = {
  readonly url: string;
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
};

export function findPostgres(): string | undefined;

export function startPostgres(options: {
  readonly binaries: string;
  readonly settings?: Readonly<Record<string, string | number>>;
}): Promise<PrivatePostgres>;
