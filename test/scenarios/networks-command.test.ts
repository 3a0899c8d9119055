// `tender networks`: the simulated card networks as a process of their own, told to misbehave while they run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { httpDirectory } from '../../src/threeds/http-directory.ts';
import { TEST_CARDS } from '../../src/threeds/simulator/test-cards.ts';
import { areqOf } from '../threeds/requestor.ts';
import { Belongings, startNetworksProcess, TenderProcess, tender } from './tender-process.ts';

describe('card networks of their own', () => {
  const own = new Belongings();
  let networks: { process: TenderProcess; url: string };
  const authenticate = async () => {
    const directory = httpDirectory({ url: networks.url, clock: systemClock });
    const answer = await directory.authenticate(areqOf({ url: 'http://127.0.0.1:9' }, TEST_CARDS.frictionless.number));
    await directory.close();
    return answer;
  };

  beforeAll(async () => {
    networks = own.keep(await startNetworksProcess(['--authentication', 'erro']));
  });
  afterAll(() => own.drop());

  it('begin with the faults they were given, and change them while they run', async () => {
    expect(await authenticate()).toMatchObject({ outcome: 'refused', erro: { errorCode: '403' } });
    const at = ['--url', networks.url];
    const ended = await tender(['networks', 'faults', '--none', ...at]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ authentication: 'none' });
    expect(await authenticate()).toMatchObject({ outcome: 'answered', message: { transStatus: 'Y' } });
    const set = await tender(['networks', 'faults', '--authentication', 'unsupported-version', ...at]);
    expect(set.code).toBe(0);
    expect(await authenticate()).toMatchObject({ outcome: 'refused', erro: { errorCode: '102' } });
    const seen = await tender(['networks', 'faults', ...at]);
    expect(JSON.parse(seen.stdout)).toMatchObject({ authentication: 'unsupported-version', results: 'none' });
  });

  it('print what has passed, without card numbers', async () => {
    const { stdout } = await tender(['networks', 'transcript', '--url', networks.url]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).name).slice(0, 2)).toEqual(['AReq', 'Erro']);
    expect(stdout).not.toContain(TEST_CARDS.frictionless.number);
  });

  it('print their cards', async () => {
    const { stdout } = await tender(['networks', 'cards']);
    for (const { number, means } of Object.values(TEST_CARDS)) expect(stdout).toContain(`${number}  ${means}`);
  });

  it('say in one line what is wrong', async () => {
    const nobody = await tender(['networks', 'faults', '--url', 'http://127.0.0.1:1']);
    expect(nobody).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^tender: there are no networks at .*--url\n$/),
    });
    const word = await tender(['networks', 'faults', '--results', 'sometimes']);
    expect(word).toMatchObject({ code: 2, stderr: expect.stringMatching(/^tender: .*Allowed choices are none, late/) });
    const taken = await new TenderProcess(['networks', '--port', new URL(networks.url).port]).ended;
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tender: port \d+ is in use/) });
  });

  it('stop when told to', async () => {
    const ended = await networks.process.stop();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });
});
