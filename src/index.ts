// What `import … from 'tender'` gives: a gateway inside another program, such as a merchant's test suite. The types
// stand here whole, so that the package carries one file of declarations and promises nothing about what is inside.

import { resolve } from 'node:path';
import { startGateway } from './compose/index.ts';
import { createLog } from './telemetry/log.ts';

/** With nothing but a data folder it is a sandbox on a free loopback port. */
export type TenderSettings = {
  /** A sandbox has a simulated bank, card networks and a demo merchant. */
  readonly mode?: 'sandbox' | 'production';
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  /** The public address of the interface, when a proxy stands in front. */
  readonly baseUrl?: string;
  /** Keys, and the embedded database unless `databaseUrl` is given; made when it does not exist. */
  readonly dataFolder: string;
  /** `postgres://…`, for PostgreSQL instead of the embedded database. */
  readonly databaseUrl?: string;
  readonly keyFile?: string;
  /** Takes each line of the log, which is JSON; standard error unless given. */
  readonly log?: (line: string) => void;
  /** Hears that the embedded database died: end the process then, the next start recovers. */
  readonly onFatal?: (error: Error) => void;
};

export type RunningTender = {
  /** Where merchants post to, such as `http://localhost:8080/paynet`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Finishes what is in flight and closes everything. */
  close(): Promise<void>;
};

export async function startTender({ dataFolder, log, onFatal, ...given }: TenderSettings): Promise<RunningTender> {
  const settings = { mode: 'sandbox', host: '127.0.0.1', port: 0, ...given, dataFolder: resolve(dataFolder) } as const;
  const write = log ?? ((line) => process.stderr.write(line));
  const { baseUrl, port, close } = await startGateway(settings, {
    log: createLog(write),
    ...(onFatal && { onFatal }),
  });
  return { baseUrl, port, close };
}
