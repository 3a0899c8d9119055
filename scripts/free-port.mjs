// Finds a loopback port that is free, also a while later: it lies below those that systems give to who asks for any.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Browsers and Node's fetch refuse 10080. */
const LOWEST = 11_000;
const COUNT = 9_000;
const MOST_LOOKS = 20;

export async function freePort() {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const port = LOWEST + randomInt(COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port of ${MOST_LOOKS} is free`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
