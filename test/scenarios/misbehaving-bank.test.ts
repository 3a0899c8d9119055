// A sandbox whose bank misbehaves on purpose, as merchants use it in their own tests: from the start, on command while
// it runs, by script and by order of arrival.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, DEMO, type ReplyBody } from '../harness.ts';
import { Belongings, type RunningProcess, startProcess, tender } from './tender-process.ts';

const TIMES = ['--acquirer-timeout-ms', '700', '--lease-ms', '2000'];

describe('a sandbox whose bank misbehaves', () => {
  const own = new Belongings();
  let data: string;
  let shop: Client;
  let gateway: RunningProcess;

  beforeAll(async () => {
    data = join(await own.folder(), 'data');
    const faults = JSON.stringify({ messages: ['instruct'], script: ['ok', 'lose-answer', 'refuse'] });
    gateway = own.keep(await startProcess(['--data', data, ...TIMES, '--bank-faults', faults]));
    shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
  });
  afterAll(() => own.drop());

  const faults = (...args: string[]) => tender(['bank', 'faults', ...args, '--data', data]);

  /** The statuses a merchant sees one after the other. */
  async function seen(): Promise<string[]> {
    const { body } = await shop.sale();
    const statuses: string[] = [];
    for (let last: ReplyBody = {}; last.status === undefined || ['processing', 'unknown'].includes(last.status); ) {
      last = (await shop.status({ client_orderid: body['merchant-order-id'] })).body;
      if (statuses.at(-1) !== last.status) statuses.push(last.status);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return statuses;
  }

  it('does so from the start, message by message', async () => {
    expect((await seen()).at(-1)).toBe('approved');
    // The answer is lost: in doubt until the gateway has asked.
    expect((await seen()).at(-1)).toBe('approved');
    // Refused: asked about, never seen, and sent again.
    expect((await seen()).at(-1)).toBe('approved');
    const shown = await faults();
    expect(JSON.parse(shown.stdout)).toMatchObject({ messages: ['instruct'], script: ['ok', 'lose-answer', 'refuse'] });
  });

  it('does so on command while it runs, and stops when told', async () => {
    const set = await faults(
      '--messages',
      'instruct,inquire',
      '--script',
      '2*garble,ok',
      '--skip',
      '1',
      '--limit',
      '3',
    );
    expect(JSON.parse(set.stdout)).toMatchObject({ script: ['garble', 'garble', 'ok'], skip: 1, limit: 3 });
    // Payment and first inquiry are garbled, the second inquiry five seconds later is not.
    expect(await seen()).toEqual(expect.arrayContaining(['unknown', 'approved']));
    expect(JSON.parse((await faults('--none')).stdout)).toMatchObject({ script: [], refuseRate: 0 });
    expect((await seen()).at(-1)).toBe('approved');
    const { stdout } = await tender(['audit', 'list', '--json', '--data', data]);
    expect(JSON.parse(stdout).entries[0]).toMatchObject({ action: 'setBankFaults' });
  });

  it('shows in the metrics and, as one outage, in the log', async () => {
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    const outcomes = ['approved', 'silent', 'unreachable', 'unreadable'];
    for (const outcome of outcomes) {
      expect(metrics).toMatch(
        new RegExp(
          `tender_acquirer_answers_total\\{terminal="demo-bank",instruction="sale",outcome="${outcome}"\\} [1-9]`,
        ),
      );
    }
    expect(metrics).toMatch(/tender_acquirer_seconds_count\{terminal="demo-bank",instruction="inquiry"\} [1-9]/);
    const [line = '', ...more] = gateway.process.stderr.trimEnd().split('\n');
    expect(JSON.parse(line)).toMatchObject({ message: 'the bank does not answer', address: 'this process' });
    for (const later of more) expect(later).toContain('"message":"the bank ');
  });

  it('says what is wrong with a script in one line', async () => {
    const wrong = await faults('--script', 'ok,sometimes');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tender: .*A script is a list such as [^\n]*\n$/),
    });
    const unknown = await faults('--messages', 'letters');
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^tender: the bank refuses: messages: expected/),
    });
    const start = await tender(['start', '--data', data, '--bank-faults', '{"loseRate":1}']);
    expect(start).toMatchObject({ code: 2, stderr: expect.stringMatching(/^tender: .*loseRate: no such fault/) });
  });
});
