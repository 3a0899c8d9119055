// Two gateways on one database, one of which sleeps past its leases while every sale goes to both: what was
// acknowledged is one order and charged once.

import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { pause } from '../harness.ts';
import { Belongings, startProcess } from '../scenarios/tender-process.ts';
import { expectPromisesKept, newBank, newClient, takenOver, untilDue } from './lives.ts';
import { Load } from './load.ts';
import { newPlace } from './place.ts';
import { FAST, LEASE_MS, untilFinal } from './promises.ts';
import { newSeed, seeded } from './random.ts';

const FEWEST_SLEEPS = 2;
/** With fewer sales than so many lives have, the sleeps would hit too little. */
const LIVES = 4;

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

describe.skipIf(!shared.available)('two gateways on one database', () => {
  it('one of them asleep past its leases: every order is one order and charged once', async () => {
    const random = seeded(newSeed());
    const bankUrl = await newBank(belongings);
    const place = await newPlace(belongings, shared);
    const start = async (...more: string[]) =>
      belongings.keep(await startProcess([...place.args, ...more, ...FAST, '--bank-url', bankUrl]));
    const first = await start();
    const second = await start('--key-file', join(place.folder, 'key-encryption-keys'));
    const clients = [first, second].map(({ baseUrl }) => newClient(belongings, () => baseUrl));

    const load = new Load(clients, random);
    load.start();
    await untilDue(load, random);
    // Often enough that the sleeper held something at least once.
    for (let round = 0; round < FEWEST_SLEEPS || (await place.looking(takenOver)) === 0; round++) {
      first.process.signal('SIGSTOP');
      await pause(LEASE_MS);
      await untilFinal(clients[1]!, load.acknowledged);
      first.process.signal('SIGCONT');
      await untilDue(load, random);
    }
    await load.stop();
    await untilFinal(clients[1]!, load.acknowledged);
    await Promise.all([first.process.stop(), second.process.stop()]);

    await expectPromisesKept({ bankUrl, load, lives: LIVES }, place);
  });
});
