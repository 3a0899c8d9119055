// A throw-away PostgreSQL: a new cluster in a temporary folder on a free loopback port, with the server's own settings
// (fsync on) and no password. It ends when `stop` is called, and also when this process dies in any way: a keeper shell
// holds the other end of a pipe and clears everything away once the pipe closes.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from './free-port.mjs';

const START_LIMIT_SECONDS = 60;
const STOP_LIMIT_SECONDS = 20;
const LOG_TAIL_LINES = 12;

// PostgreSQL refuses to run as root, so it runs as one of these users.
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

// This leaves room for several gateways at once, each with its own pool.
const SETTINGS = { max_connections: 200, listen_addresses: '127.0.0.1', unix_socket_directories: '' };

const KEEPER = `
bin=$1 home=$2 settings=$3 primary=$4
cd "$home" 2>&1 || exit 1
trap '"$bin/pg_ctl" stop -D data -m immediate -t ${STOP_LIMIT_SECONDS} >/dev/null 2>&1; cd /; rm -rf "$home"' EXIT
{
  if [ -n "$primary" ]; then "$bin/pg_basebackup" -D data -d "$primary" -R -X stream -c fast --no-sync
  else "$bin/initdb" -D data -U postgres --auth=trust --encoding=UTF8 --no-locale --no-sync
  fi &&
  printf '%s' "$settings" >>data/postgresql.conf &&
  "$bin/pg_ctl" start -D data -w -t ${START_LIMIT_SECONDS} -l log
} >>log 2>&1 || { cat log; exit 1; }
echo ready
while read -r mode; do
  "$bin/pg_ctl" restart -D data -m "$mode" -w -t ${START_LIMIT_SECONDS} -l log >>log 2>&1 && echo restarted || echo failed
done
`;

/** The folder that holds initdb and postgres, or undefined. The newest of Debian's versions wins. */
export function findPostgres() {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'postgres'));
  const linked = onPath.filter(existsSync).map((program) => dirname(realpathSync(program)));
  return [...linked, ...debianFolders()].find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * Starts a cluster; resolves with `{ url, restart, kill, stop }`, where the URL is the superuser's. `restart` takes
 * pg_ctl's modes: 'fast' rolls back what is under way, 'immediate' is a crash of the server. `kill` ends every process
 * of the server at once; `restart` brings it back. With the URL of another as `standbyOf` it begins as its standby.
 */
export async function startPostgres({ binaries, settings = {}, standbyOf = '' }) {
  const user = borrowedUser();
  const port = await freePort();
  // The temporary folder of root may be closed to the other user.
  const home = mkdtempSync(join(user.uid === undefined ? tmpdir() : '/tmp', 'tender-postgres-'));
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid);

  const configuration = asConfiguration({ ...SETTINGS, ...settings, port });
  const keeper = spawn('sh', ['-c', KEEPER, 'keeper', binaries, home, configuration, standbyOf], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(keeper, 'close');
  const words = wordsOf(keeper.stdout);
  await readiness(words);
  const restart = async (mode) => {
    keeper.stdin.write(`${mode}\n`);
    const { value } = await words.next();
    if (value !== 'restarted') throw new Error(`PostgreSQL did not restart: ${value ?? 'its keeper is gone'}`);
  };
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  const kill = () => killServer(join(home, 'data'));
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, restart, kill, stop };
}

/** What this work gets out of the database at this address, over a connection of its own. */
export async function onServer(url, work) {
  // Not before it is needed: this file is read before the packages are installed.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As when the machine loses its power, as far as clients can tell: nobody says goodbye. */
export function killServer(dataFolder) {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // A backend that ended by itself meanwhile.
    }
  }
}

// The keeper first writes "ready", or it ends with the server's log.
async function readiness(words) {
  const said = [];
  for (;;) {
    const { value, done } = await words.next();
    if (value === 'ready') return;
    if (done) throw new Error(`PostgreSQL did not start:\n${said.slice(-LOG_TAIL_LINES).join('\n')}`);
    said.push(value);
  }
}

async function* wordsOf(stream) {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

// Only Linux tells; elsewhere backends notice by themselves that their postmaster is gone.
function childrenOf(pid) {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

function asConfiguration(settings) {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
    .join('');
}

export function borrowedUser() {
  if (process.getuid?.() !== 0) return {};
  for (const name of UNPRIVILEGED_USERS) {
    try {
      const ask = (what) => Number(execFileSync('id', [what, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      // There is no such user, so the next one is tried.
    }
  }
  throw new Error(`PostgreSQL cannot run as root, and none of the users ${UNPRIVILEGED_USERS.join(', ')} exists.`);
}

function debianFolders() {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return [];
  const newestFirst = readdirSync(base).sort((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => join(base, version, 'bin'));
}
