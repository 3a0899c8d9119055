// What is asked of a gateway by open loops, as a share of the most it took in the same minutes: half of that, three
// times that, and one merchant who floods beside others who do not.
import { DEMO } from '../sale-requests.mjs';

const SEED = 7;

/** How long clients wait for a connection before they go away. */
const PATIENCE_MS = 2_000;

const HALF = 0.5;
const OVERLOAD = 3;

/** What each merchant sells who does not flood, and how often somebody asks for STATUS meanwhile. */
const QUIET = 0.03;
const ASKED_PER_SECOND = 20;

const CONNECTIONS = { half: 256, flood: 2_000, quiet: 32, status: 16 };

export const QUIET_LOGINS = ['quiet-1', 'quiet-2', 'quiet-3'];

/** Beyond the bound of a sandbox for one network, because all of the load comes from one. */
export const OPEN_ENV = { TENDER_MAX_CONNECTIONS_PER_ADDRESS: '10000' };

const sales = (name, merchant, rate, connections) => ({ name, merchant, rate, connections, what: 'sales' });

/**
 * Overload and the flood last `overloadSeconds`, the others `seconds`. `peakSlice` resolves with whole sales a second
 * in a closed loop and the share of a core that its generator took, `load` asks the open load generator, `settled`
 * resolves when all that was accepted is final. Resolves with the runs, and how many requests were answered in them.
 */
export async function openRuns({ load, port, seconds, overloadSeconds, quiet, peakSlice, settled, step }) {
  const answered = { sales: 0, status: 0 };
  const run = async (streams, runSeconds = seconds) => {
    const asked = { port, seconds: runSeconds, streams, kind: 'poisson', seed: SEED, patienceMs: PATIENCE_MS };
    const told = await load.ask(asked);
    await settled();
    const tookSeconds = (performance.timeOrigin + performance.now() - told.startedAt) / 1000;
    for (const { name, what } of streams) answered[what] += told.streams[name].answered;
    return { ...told.streams, tookSeconds, generator: { busy: told.busy, lateness: told.lateness } };
  };
  const rateOf = ({ tookSeconds }, stream) => stream.answered / tookSeconds;

  step('peak');
  const { rate: first } = await peakSlice();
  step('half load');
  const half = await run([sales('demo', DEMO, first * HALF, CONNECTIONS.half)]);
  step('three times as much');
  const { rate: before, busy: atPeak } = await peakSlice();
  const over = await run(
    [
      sales('demo', DEMO, before * OVERLOAD, CONNECTIONS.flood),
      { name: 'status', merchant: DEMO, rate: ASKED_PER_SECOND, connections: CONNECTIONS.status, what: 'status' },
    ],
    overloadSeconds,
  );
  step('half load right after');
  const after = await run([sales('demo', DEMO, before * HALF, CONNECTIONS.half)]);
  step('peak');
  const peak = (before + (await peakSlice()).rate) / 2;
  step('quiet merchants alone');
  const others = quiet.map((merchant) => sales(merchant.login, merchant, peak * QUIET, CONNECTIONS.quiet));
  const alone = await run(others);
  step('one who floods beside them');
  const flooded = await run([...others, sales('flood', DEMO, peak * OVERLOAD, CONNECTIONS.flood)], overloadSeconds);
  return {
    ...{ peak, half: half.demo, over: over.demo, status: over.status, after: after.demo },
    overShare: rateOf(over, over.demo) / peak,
    quietAlone: together(quiet.map(({ login }) => alone[login])),
    quietFlooded: together(quiet.map(({ login }) => flooded[login])),
    flood: flooded.flood,
    generator: { ...over.generator, atPeak },
    answered,
  };
}

/** The sum of several streams, with the worst latency of any. */
function together(streams) {
  const sum = (name) => streams.reduce((all, stream) => all + stream[name], 0);
  const worst = (name) => Math.max(...streams.map((stream) => stream[name]));
  const counts = ['due', 'answered', 'shed', 'refused', 'failed', 'abandoned', 'rate'];
  return {
    ...Object.fromEntries(counts.map((name) => [name, sum(name)])),
    ...Object.fromEntries(['p50', 'p99', 'p999', 'max'].map((name) => [name, worst(name)])),
  };
}

/** The targets, and whether each was reached: what it says, the figure, and the bound. */
export function openVerdicts({ half, overShare, status, quietFlooded, after }) {
  const share = (stream) => stream.answered / stream.due;
  return [
    ['half load, answered', share(half), 1, 'least'],
    ['half load, p50 ms', half.p50, 5, 'most'],
    ['half load, p99 ms', half.p99, 20, 'most'],
    ['whole sales at three times the load, of the peak', overShare, 0.8, 'least'],
    ['STATUS answered meanwhile', share(status), 1, 'least'],
    ['half load right after, answered', share(after), 1, 'least'],
    ['others answered beside a flood', share(quietFlooded), 1, 'least'],
  ].map(([says, figure, bound, kind]) => ({
    ...{ says, figure, bound, kind },
    isReached: kind === 'most' ? figure <= bound : figure >= bound,
  }));
}

/** The rows of its table: name and stream. */
export function openRowsOf({ half, over, status, after, quietAlone, quietFlooded, flood }) {
  return [
    ['half of the peak', half],
    ['three times the peak', over],
    ['STATUS meanwhile', status],
    ['half of the peak, right after', after],
    ['three merchants alone', quietAlone],
    ['the same beside a flood', quietFlooded],
    ['the flood', flood],
  ];
}
