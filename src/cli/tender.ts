// The command line.
import { startGateway } from '../compose.ts';
import { createLog } from '../telemetry/log.ts';

const log = createLog((line) => process.stderr.write(line));
const gateway = await startGateway(
  {
    mode: 'sandbox',
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 8080),
    dataFolder: process.env.TENDER_DATA ?? 'data',
    databaseUrl: process.env.DATABASE_URL,
    bankUrl: process.env.TENDER_BANK_URL,
  },
  { log },
);
process.stdout.write(`${gateway.baseUrl}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void gateway.close().then(() => process.exit(0)));
}
