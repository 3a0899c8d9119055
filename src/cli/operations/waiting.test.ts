import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { testKeys } from '../../../test/test-keys.ts';
import { Secret } from '../../domain/secret.ts';
import { status } from '../../operations/v2/status.ts';
import { statusV4 } from '../../operations/v4/status.ts';
import { type CallingMerchant, postCall, signCall } from './signed-call.ts';
import { waitForEnd } from './waiting.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(answer: RequestListener): Promise<CallingMerchant> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return merchantAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/paynet`);
}

function merchantAt(url: string): CallingMerchant {
  return {
    ...{ publicUrl: url, calledUrl: url, endpoint: '101', login: 'demo', aheadMs: 0 },
    ...{ controlKey: new Secret('key'), privateKey: new Secret(testKeys('demo').privateKey) },
  };
}

const accepted = { 'merchant-order-id': 'inv-1', 'paynet-order-id': '17' };
const stands = (word: string) => ({ code: 200, says: JSON.stringify({ type: 'status-response', status: word }) });
const broken = { code: 500, says: '{"type":"error","error-code":"500"}' };

describe('--wait', () => {
  /** A gateway that answers each STATUS with the next of these, and then always with the last. */
  function answering(...answers: { code: number; says: string }[]): Promise<CallingMerchant> {
    let asked = 0;
    return listening((_, response) => {
      const { code, says } = answers[Math.min(asked++, answers.length - 1)]!;
      response.writeHead(code).end(says);
    });
  }

  it.each(['approved', 'declined', 'filtered', 'error'])('ends when the order is %s', async (word) => {
    const who = await answering(stands('processing'), stands('unknown'), stands(word));
    const end = await waitForEnd(accepted, who);
    expect(end).toMatchObject({ heard: { reply: { status: word } } });
    expect(end?.exit).toBe(word === 'approved' ? 'done' : 'not-approved');
  });

  it.each([
    ['the service failed', broken],
    ['a proxy answered', { code: 502, says: '<h1>Bad Gateway</h1>' }],
  ])('asks on when %s', async (_, failure) => {
    const who = await answering(failure, stands('approved'));
    expect(await waitForEnd(accepted, who)).toMatchObject({ exit: 'done', heard: { reply: { status: 'approved' } } });
  });

  it.each([
    ['a refusal', { code: 400, says: '{"type":"validation-error","error-code":"20"}' }],
    ['an error without a status', { code: 200, says: '{"type":"error","error-code":"30"}' }],
  ])('fails on %s, which says nothing of the order', async (_, refusal) => {
    const who = await answering(refusal, stands('approved'));
    expect(await waitForEnd(accepted, who)).toMatchObject({ exit: 'failed', heard: { status: refusal.code } });
  });

  it('tells what it heard last when the time is over', async () => {
    expect(await waitForEnd(accepted, await answering(stands('unknown')), 1)).toMatchObject({ exit: 'not-approved' });
    expect(await waitForEnd(accepted, await answering(broken), 1)).toMatchObject({ exit: 'failed' });
    const nobody = merchantAt('http://127.0.0.1:1023/paynet');
    expect(await waitForEnd(accepted, nobody, 1)).toMatchObject({ fault: { name: 'Complaint' } });
  });
});

describe('a call without an answer', () => {
  const asking = (who: CallingMerchant) => postCall(signCall(status, { client_orderid: 'inv-1' }, who));

  it('may have been carried out once it was sent', async () => {
    const who = await listening((request) => request.on('data', () => request.socket.destroy()));
    await expect(asking(who)).rejects.toMatchObject({
      exit: 'failed',
      message: expect.stringMatching(/was sent .* not answered .*carried out.*tender status --client-orderid inv-1"$/),
    });
  });

  it.each(['http://127.0.0.1:1023/paynet', 'http://nowhere.invalid/paynet'])('was not sent to %s', async (url) => {
    await expect(asking(merchantAt(url))).rejects.toMatchObject({
      exit: 'unreachable',
      message: expect.stringMatching(/cannot be reached: E\w+$/),
    });
  });
});

it("is signed by the clock of the gateway, where that is ahead of this machine's", () => {
  const aheadMs = 30 * 24 * 3_600_000;
  const { headers } = signCall(statusV4, { client_orderid: 'x' }, { ...merchantAt('http://x/paynet'), aheadMs });
  const [, seconds] = /oauth_timestamp="(\d+)"/.exec(headers.authorization ?? '') ?? [];
  expect(Math.abs(Number(seconds) * 1_000 - Date.now() - aheadMs)).toBeLessThan(60_000);
});
