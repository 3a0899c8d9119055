// A long run at a share of the peak, a minute at a time: what was answered, how long it took, and how much memory the
// gateway has.
import { DEMO } from '../sale-requests.mjs';

const SAMPLE_EVERY_MS = 2_000;
const CONNECTIONS = 256;
const PATIENCE_MS = 5_000;
const MEGABYTE = 1024 * 1024;

/** `said` gets each minute's row; resolves with all of them. */
export async function soak({ load, gateway, rate, minutes, said }) {
  const rows = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const memory = watchMemory(gateway);
    const streams = [{ name: 'demo', merchant: DEMO, what: 'sales', rate, connections: CONNECTIONS }];
    const asked = { port: gateway.port, seconds: 60, streams, kind: 'poisson', seed: minute, patienceMs: PATIENCE_MS };
    const { demo } = (await load.ask(asked)).streams;
    const row = { minute, ...demo, ...(await memory.least()) };
    rows.push(row);
    said(row);
  }
  return rows;
}

/** The least of what was seen: right after a collection, so that garbage does not count. */
function watchMemory({ figure }) {
  let heap = Number.POSITIVE_INFINITY;
  let resident = Number.POSITIVE_INFINITY;
  const look = async () => {
    heap = Math.min(heap, (await figure('nodejs_heap_size_used_bytes')) / MEGABYTE);
    resident = Math.min(resident, (await figure('process_resident_memory_bytes')) / MEGABYTE);
  };
  const timer = setInterval(() => look().catch(() => {}), SAMPLE_EVERY_MS);
  return {
    least: async () => {
      clearInterval(timer);
      await look();
      return { heap, resident };
    },
  };
}
