// Tries what can be tried without money: a status request about an order that does not exist shows whether the provider
// is reached, knows the endpoint and takes our signature.

import type { TestLine } from '../acquirer.ts';
import type { CallLimit } from './call-limit.ts';
import { ORDER_NOT_FOUND } from './decline-codes.ts';
import type { HeardBack } from './heard.ts';
import type { Exchange } from './questions.ts';
import { askStatus, askStatusByKey } from './requests.ts';

export type KeyGiven = 'none' | 'readable' | 'unreadable';

/** No order has such a name: references of ours begin with a digit. */
const NOBODYS_ORDER = 'test-of-the-connection';

const WRONG_CONTROL = '20';
const NO_ENDPOINT = '10';
const NO_SUCH_PATH = '18';

export async function tryOut(exchange: Exchange, key: KeyGiven, limit: CallLimit): Promise<readonly TestLine[]> {
  const { provider, asker } = exchange;
  const control = await provider.ask(askStatus({ clientOrderId: NOBODYS_ORDER }, asker), limit);
  const lines = [controlLine(control, asker.endpointId)];
  if (key === 'readable') lines.push(keyLine(await provider.ask(askStatusByKey(NOBODYS_ORDER), limit)));
  else lines.push(NO_KEY_LINES[key]);
  return [...lines, callbackLine(asker.noticeUrl)];
}

const NO_KEY_LINES: Readonly<Record<Exclude<KeyGiven, 'readable'>, TestLine>> = {
  none: {
    what: 'private key',
    works: true,
    detail: 'none is given: payouts are signed with the control key, and stored cards cannot be charged',
  },
  unreadable: { what: 'private key', works: false, detail: 'it is no RSA key in PEM of at least 2048 bits' },
};

function controlLine(heard: HeardBack, endpointId: string): TestLine {
  const what = 'login, control key and endpoint';
  if (isTaken(heard)) return { what, works: true };
  const code = heard.word === 'refused' ? heard.code : undefined;
  if (code === WRONG_CONTROL) {
    return { what, works: false, detail: 'the provider does not know this login with this control key' };
  }
  if (code === NO_ENDPOINT) return { what, works: false, detail: `the provider has no endpoint ${endpointId} of ours` };
  return { what, works: false, detail: saidIn(heard) };
}

function keyLine(heard: HeardBack): TestLine {
  const what = 'private key';
  if (isTaken(heard)) return { what, works: true };
  const code = heard.word === 'refused' ? heard.code : undefined;
  if (code === NO_SUCH_PATH)
    return { what, works: true, detail: 'it can be read; the provider offers no way to try it' };
  if (code === WRONG_CONTROL) return { what, works: false, detail: 'the provider does not know our public key' };
  return { what, works: false, detail: saidIn(heard) };
}

/** Whoever looks for the order has found the signature right. */
function isTaken(heard: HeardBack): boolean {
  return heard.word === 'refused' && heard.code === ORDER_NOT_FOUND;
}

function saidIn(heard: HeardBack): string {
  switch (heard.word) {
    case 'refused':
      return `the provider refuses with error ${heard.code}: ${heard.message}`;
    case 'replied':
      return 'the provider answers in an unexpected way';
    default:
      return heard.reason;
  }
}

function callbackLine(noticeUrl: string | undefined): TestLine {
  const detail =
    noticeUrl === undefined ? 'the provider could not call our address, so it is asked instead' : undefined;
  return { what: 'callbacks', works: true, detail };
}
