// Processes that die in the middle of everything: whatever was acknowledged exists and ends, the bank has authorised it
// exactly once if it is approved here and not at all if it is not, and the ledger adds up.

import { afterEach, beforeEach, describe, it } from 'vitest';
import { kindsOfThisFile } from '../harness.ts';
import { Belongings, type RunningProcess, startProcess } from '../scenarios/tender-process.ts';
import { expectPromisesKept, newBank, newClient, untilDue } from './lives.ts';
import { Load } from './load.ts';
import { newPlace } from './place.ts';
import { FAST, untilFinal } from './promises.ts';
import { newSeed, seeded } from './random.ts';

const ROUNDS = 4;

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a gateway that is killed again and again, on ${kind.name}`, () => {
    it('keeps every promise and charges nobody twice', async () => {
      const random = seeded(newSeed());
      const bankUrl = await newBank(belongings);
      const place = await newPlace(belongings, kind);
      const start = async () => belongings.keep(await startProcess([...place.args, ...FAST, '--bank-url', bankUrl]));

      let running: RunningProcess = await start();
      const client = newClient(belongings, () => running.baseUrl);
      const load = new Load([client], random);
      load.start();
      for (let round = 0; round < ROUNDS; round++) {
        await untilDue(load, random);
        await running.process.stop('SIGKILL');
        running = await start();
      }
      await untilDue(load, random);
      await load.stop();
      await untilFinal(client, load.acknowledged);
      await running.process.stop();

      await expectPromisesKept({ bankUrl, load, lives: ROUNDS }, place);
    });
  });
}
