// Sales whose payer is authenticated: by the pages of the gateway, or by the merchant's own, which hands in what came
// of each step.

import { TEST_CARDS } from '../../../src/threeds/index.ts';
import { type Client, type Fields, pause, type ReplyBody } from '../../harness.ts';
import { BROWSER, sale, TOLD } from '../../scenarios/authenticating.ts';
import { PAYER_LIMIT_MS } from '../payers.ts';
import type { Requests } from '../requests.ts';
import { keyed } from '../ways.ts';
import { anyCode, type Story, type StoryParts } from './story.ts';

/** Cards whose issuers ask the payer or do not, with and without a look at the browser before. */
const ISSUERS = ['frictionless', 'frictionlessMethod', 'challenge', 'challengeMethod', 'challenge21'] as const;
/** Issuers of version 1, who send a PARes by the browser. */
const LEGACY_ISSUERS = ['legacy'] as const;
const ALL_ISSUERS = [...ISSUERS, ...LEGACY_ISSUERS];
/** Mostly the right password. */
const PAYERS_ANSWERS = [['hint'], ['hint'], ['hint'], ['wrong', 'hint'], ['cancel']] as const;

/** How long issuers wait for a payer, and how long one who comes too late lets them wait. */
export const ISSUER_PATIENCE_MS = 6_000;
const LATE_MS = ISSUER_PATIENCE_MS + 1_500;
const LATE_SHARE = 0.15;

export const anyIssuer = (requests: Requests) => requests.oneOf(ALL_ISSUERS) as (typeof ALL_ISSUERS)[number];
export const anyAnswers = (requests: Requests) => requests.oneOf(PAYERS_ANSWERS) as readonly string[];

export function threeDSecureStories(parts: StoryParts): readonly Story[] {
  return [
    { weight: 10, operations: ['SALE', 'RETURN'], tell: () => onOurPages(parts) },
    {
      weight: 9,
      operations: ['SALE', 'TDS_UPLOAD_METHOD_URL_RESULT', 'TDS_UPLOAD_CRES_RESULT'],
      tell: () => onMerchantsPages(parts, ISSUERS),
    },
    { weight: 5, operations: ['SALE', 'TDS_UPLOAD_PARES_RESULT'], tell: () => onMerchantsPages(parts, LEGACY_ISSUERS) },
  ];
}

async function begun(requests: Requests, issuer: keyof typeof TEST_CARDS, more: Fields = {}) {
  const browser = requests.chance(0.5) ? BROWSER : {};
  const fields = { ...sale(TEST_CARDS[issuer], browser), cvv2: anyCode(requests), ...more };
  const sell = keyed((client) => client.sale);
  return requests.order('SALE', fields, sell, { at: requests.places.authenticated });
}

async function onOurPages({ requests, payers }: StoryParts): Promise<void> {
  const order = await begun(requests, anyIssuer(requests));
  if (!order) return;
  await payers.accompany(async () => {
    const { 'redirect-to': address } = await requests.untilPayersTurn(order, PAYER_LIMIT_MS);
    if (address === undefined) return;
    await beLateNowAndThen(requests);
    await payers.authenticate(address, ...anyAnswers(requests));
  });
  if (requests.chance(0.3) && (await requests.isApproved(order)))
    await requests.followUp('return', order, { amount: '1.00', currency: 'EUR' });
}

/** Then the issuer has given up on the payer, but the gateway may not have heard of it. */
async function beLateNowAndThen(requests: Requests): Promise<void> {
  if (requests.chance(LATE_SHARE)) await pause(LATE_MS);
}

async function onMerchantsPages(parts: StoryParts, issuers: readonly (keyof typeof TEST_CARDS)[]): Promise<void> {
  const { requests, payers } = parts;
  const issuer = requests.oneOf(issuers) as keyof typeof TEST_CARDS;
  const order = await begun(requests, issuer, { redirect_url: 'https://shop.example/back' });
  if (order) await payers.accompany(() => stepByStep(parts, order));
}

/**
 * As STATUS asks for it: the browser is told of once, and then the payer goes to the issuer, if the issuer wants to see
 * it.
 */
async function stepByStep({ requests, payers }: StoryParts, order: ReplyBody): Promise<void> {
  let status = await requests.untilPayersTurn(order, PAYER_LIMIT_MS);
  if (status['tds-status'] === 'method-url') {
    const threeDSServerTransID = status['tds-method-url-frame-3ds-server-trans-id'];
    await upload(requests, order, 'method-url', { threeDSServerTransID, ...TOLD, threeDSCompInd: 'Y' });
    status = await requests.untilPayersTurn(order, PAYER_LIMIT_MS);
  }
  if (status['tds-status'] === 'method-url')
    return requests.complain('TDS_UPLOAD_METHOD_URL_RESULT', {
      status: 200,
      text: 'was taken, and is asked for again',
    });
  if (status['tds-status'] === undefined) return;
  await beLateNowAndThen(requests);
  const { cres, PaRes, MD } = await payers.toIssuer(status, ...anyAnswers(requests));
  if (cres !== undefined) await upload(requests, order, 'cres', { cRes: cres });
  else if (PaRes !== undefined) await upload(requests, order, 'pares', { paRes: PaRes, md: MD });
}

const UPLOADS = {
  'method-url': 'TDS_UPLOAD_METHOD_URL_RESULT',
  cres: 'TDS_UPLOAD_CRES_RESULT',
  pares: 'TDS_UPLOAD_PARES_RESULT',
} as const satisfies Record<Parameters<Client['upload']>[0], string>;

async function upload(requests: Requests, order: ReplyBody, kind: keyof typeof UPLOADS, fields: Fields) {
  const operation = UPLOADS[kind];
  const taken = await requests.accepted(operation, (client) => client.upload(kind, order, fields, order.at));
  if (taken) await requests.promised(operation, order);
}
