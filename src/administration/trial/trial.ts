// A try of an endpoint: a request is signed with a key of its merchant and sent over HTTP to the gateway's own address,
// as the merchant would send it; then its status is asked for until it is final. In sandboxes only, with test cards
// only. The key never leaves the gateway.

import { id, nameOf, word } from '../../domain/input-kinds.ts';
import { isValidAt, maySign } from '../../domain/merchant/merchant.ts';
import { MAX_MINOR, readFigure } from '../../domain/money/money.ts';
import { soughtAmount, soughtText } from '../../domain/search/order-search.ts';
import type { Secret } from '../../domain/secret.ts';
import { shown } from '../../domain/text.ts';
import { demo } from '../../processing/node/demo.ts';
import { KEY_PLACEHOLDER } from '../../signing/control.ts';
import type { StoredMerchant } from '../../storage/configuration.ts';
import { controlKeyPlace } from '../../vault/places.ts';
import { endpointOf } from '../lookups.ts';
import type { Parts, TrialOffice } from '../parts.ts';
import { aFlag, aList, aNumber, anObject, aText, orNull } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { paymentRequest, type SignedRequest, statusRequest, TRIED, type TriedOperation } from './signed-request.ts';

const LONGEST_EMAIL = 128;
const LONGEST_URL = 512;
const USUAL_EMAIL = 'ann@example.com';
/** How often the status is asked for, and how long is waited between. */
const MOST_POLLS = 12;
const POLL_MS = 400;
/** A reply is a few hundred bytes. */
const MOST_TEXT = 8_000;

const pair = anObject({ name: aText(), value: aText() });

export const showTrial = defineReading({
  name: 'showTrial',
  summary: 'show what endpoints of a sandbox can be tried with',
  merchants: 'own',
  given: {},
  answer: anObject({
    isOpen: aFlag('Whether requests can be tried here: in a running sandbox.'),
    address: orNull(aText('Of the interface.')),
    cards: aList(anObject({ name: aText(), number: aText('Of a card that does not exist.'), means: aText() })),
    outcomes: aList(anObject({ code: aText('The security code.'), means: aText() })),
  }),
  run: async (_, { mode, trial }) => {
    if (mode !== 'sandbox' || !trial) return { isOpen: false, address: undefined, cards: [], outcomes: [] };
    const { cards, outcomes } = trial;
    return { isOpen: true, address: trial.address(), cards: [...cards], outcomes: [...outcomes] };
  },
});

const step = anObject({
  operation: aText(),
  path: aText(),
  fields: aList(pair, 'As they were sent; the card number and its code masked.'),
  headers: aList(pair),
  signed: aList(pair, 'The values that the control covers, in order; the key stands behind them.'),
  string: aText('All of it, with a word in the place of the key.'),
  control: aText(),
  status: aNumber('Of HTTP.'),
  reply: aText(),
});

export const tryRequest = defineVerb({
  name: 'tryRequest',
  summary: "sign a payment with a merchant's key, send it to this sandbox as the merchant would, and tell each step",
  merchants: 'own',
  role: 'operator',
  conduct: 'outside',
  waitsOutside: true,
  given: {
    endpointId: mustGive(id, 'the endpoint', { told: 'endpoint', what: 'the id of an endpoint' }),
    // Object.keys has lost which names they are.
    operation: mayGive(word(Object.keys(TRIED) as TriedOperation[]), 'what is asked for (default: SALE)', {
      told: true,
    }),
    amount: mustGive(soughtAmount, "in major units of the endpoint's currency", { told: true }),
    card: mayGive(nameOf('the name of a test card'), 'which test card pays (default: the first)'),
    outcome: mayGive(nameOf('a security code of the simulated bank'), 'how the bank shall answer (default: 123)'),
    email: mayGive(soughtText('an e-mail address', LONGEST_EMAIL), `of the payer (default: ${USUAL_EMAIL})`),
    callbackUrl: mayGive(soughtText('an address', LONGEST_URL), 'who shall be told how it ends'),
  },
  answer: anObject({
    login: aText(),
    address: aText('Where the requests were sent.'),
    clientOrderId: aText(),
    orderId: orNull(aNumber()),
    key: orNull(aText('Of the demo merchant, which everybody knows; null of any other.')),
    request: step,
    polls: aList(step, 'Requests for its status, until it was final.'),
    isFinal: aFlag(),
    redirectUrl: orNull(aText("Where the payer's browser goes.")),
    callback: orNull(aList(pair, 'What a callback about its end holds.')),
  }),
  run: async ({ endpointId, operation = 'SALE', card, outcome = '123', ...given }, parts) => {
    const { clock, configuration, mode, trial } = parts;
    if (mode !== 'sandbox') throw new InvalidInput('requests are tried in a sandbox only: here they would move money');
    if (!trial) throw new InvalidInput('requests can be tried while the gateway runs');
    const all = await configuration.read();
    const endpoint = endpointOf(endpointId, all);
    const merchant = all.merchants.find(({ merchantId }) => merchantId === endpoint.merchantId);
    if (!merchant) throw new InvalidInput(`there is no endpoint ${endpointId}; "tender endpoint list" shows all`);
    const amount = { minor: minorOf(given.amount, endpoint.currency), currency: endpoint.currency };
    const key = await keyOf(merchant, operation, parts);
    const signing = { key, isStrict: merchant.strictSigning || endpoint.strictSigning, now: clock.now() };
    const request = paymentRequest(
      {
        ...{ operation, endpoint, amount },
        email: given.email ?? USUAL_EMAIL,
        cardNumber: cardOf(card, trial).number,
        securityCode: outcomeOf(outcome, trial),
        callbackUrl: given.callbackUrl,
      },
      signing,
    );
    const sent = await send(request, trial);
    const told = readReply(sent.reply);
    const orderId = told['paynet-order-id'];
    const clientOrderId = request.fields.client_orderid ?? '';
    const order = { login: merchant.login, clientOrderId, orderId: orderId ?? '' };
    const isForm = !TRIED[operation].hasCard;
    const followed =
      orderId === undefined || isForm
        ? { polls: [], last: told }
        : await follow(() => statusRequest(order, endpoint, { ...signing, now: clock.now() }), parts, trial);
    const isFinal = isEnd(followed.last.status);
    const found = { merchantId: merchant.merchantId, orderId: Number(orderId) };
    return {
      ...{ login: merchant.login, address: trial.address(), clientOrderId },
      orderId: orderId === undefined ? undefined : Number(orderId),
      key: merchant.login === demo.login && key.reveal() === demo.controlKey ? demo.controlKey : undefined,
      request: sent,
      polls: followed.polls,
      isFinal,
      redirectUrl: followed.last['redirect-url'] ?? followed.last['redirect-to'] ?? told['redirect-url'],
      callback: isFinal && orderId !== undefined ? await trial.callback(found) : undefined,
    };
  },
});

function minorOf(text: string, currency: string): bigint {
  const minor = readFigure(text, currency, 'major');
  if (minor !== undefined && minor > 0n && minor <= MAX_MINOR) return minor;
  throw new InvalidInput(`amount: ${shown(text)} is no amount of ${currency}`);
}

function cardOf(name: string | undefined, { cards }: TrialOffice) {
  const card = name === undefined ? cards[0] : cards.find((one) => one.name === name);
  if (card) return card;
  throw new InvalidInput(`card: one of ${cards.map((one) => one.name).join(', ')} is needed`);
}

function outcomeOf(code: string, { outcomes }: TrialOffice): string {
  if (outcomes.some((one) => one.code === code)) return code;
  throw new InvalidInput(`outcome: one of ${outcomes.map((one) => one.code).join(', ')} is needed`);
}

/** The newest key that may sign the request and ask for its status. */
async function keyOf(
  { merchantId, login }: StoredMerchant,
  operation: string,
  { clock, configuration, vault }: Parts<'clock' | 'configuration' | 'vault'>,
): Promise<Secret<string>> {
  const { keys } = await configuration.read();
  const fitting = keys.filter(
    (one) =>
      one.kind === 'control' && one.merchantId === merchantId && isValidAt(one, clock.now()) && maySign(one, operation),
  );
  const [key] = fitting.sort((one, other) => other.validFrom - one.validFrom);
  if (key?.kind !== 'control') {
    throw new InvalidInput(`merchant "${login}" has no control key that signs ${operation} now`);
  }
  return vault.reveal(key.sealed, controlKeyPlace(key));
}

type Told = Readonly<Partial<Record<string, string>>>;

async function send(request: SignedRequest, trial: TrialOffice) {
  const { operation, path, fields, signed, headers } = request;
  const { status, text } = await trial.post(path, fields, headers);
  return {
    ...{ operation, path, signed, status },
    fields: Object.entries(fields).map(([name, value]) => ({ name, value: maskedField(name, value) })),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    string: signed.map(({ value }) => value).join('') + KEY_PLACEHOLDER,
    control: fields.control ?? '',
    reply: text.slice(0, MOST_TEXT),
  };
}

/** They are of test cards, and masked all the same: whoever copies the page copies no number. */
function maskedField(name: string, value: string): string {
  if (name === 'cvv2') return '***';
  return name === 'credit_card_number' ? `${value.slice(0, 6)}******${value.slice(-4)}` : value;
}

/** A reply in either form, its texts by name. */
function readReply(text: string): Told {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, value.trim()]));
  }
}

const isEnd = (status: string | undefined) => ['approved', 'declined', 'filtered', 'error'].includes(status ?? '');

/** Asks until it is final, or the payer has to do something. */
async function follow(asks: () => SignedRequest, { clock }: Parts<'clock'>, trial: TrialOffice) {
  const polls: Awaited<ReturnType<typeof send>>[] = [];
  let last: Told = {};
  while (polls.length < MOST_POLLS) {
    const poll = await send(asks(), trial);
    last = readReply(poll.reply);
    polls.push(poll);
    if (poll.status !== 200 || isEnd(last.status) || last['redirect-to'] !== undefined) break;
    await clock.sleep(POLL_MS);
  }
  return { polls, last };
}
