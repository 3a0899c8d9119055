// The attack: somebody who may send signals to the gateway's process opens Node's debugger with SIGUSR1, and reads card
// numbers and keys out of its memory.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { Belongings, startProcess, tenderProcess } from '../scenarios/tender-process.ts';

/** What Node says about its debugger, also when another process has its port. */
const DEBUGGER = /debugger|inspector/i;

let own: Belongings;
beforeEach(() => {
  own = new Belongings();
});
afterEach(() => own.drop());

it('SIGUSR1 opens the debugger of a sandbox, which is how this is noticed', async () => {
  const { process } = own.keep(await startProcess(['--data', await own.folder()]));
  process.signal('SIGUSR1');
  await until('the debugger is there', () => DEBUGGER.test(process.stderr));
});

it('SIGUSR1 opens nothing in production', async () => {
  const folder = await own.folder();
  const keyFile = join(folder, 'keys');
  await tenderProcess(['vault', 'create-key-file', keyFile]);
  const data = ['--data', join(folder, 'data'), '--key-file', keyFile];
  const base = ['--base-url', 'https://pay.example/paynet'];
  const { process, localOrigin } = own.keep(await startProcess([...data, ...base, '--mode', 'production']));
  // As often as it takes to be sure that the process has seen one of them.
  for (let sent = 0; sent < 20; sent++) {
    process.signal('SIGUSR1');
    expect((await fetch(`${localOrigin}/healthz`)).status).toBe(200);
  }
  const { code, stderr } = await process.stop();
  expect(code).toBe(0);
  expect(stderr).not.toMatch(DEBUGGER);
});
