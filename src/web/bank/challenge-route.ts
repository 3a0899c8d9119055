// Below {base}/challenge/: the payer's way to an address of the bank, and back. Nothing that the browser brings back is
// read: that it is back makes us ask the bank, and the bank's answer decides.

import type { Checkout, PayerOrder } from '../../processing/checkout/checkout.ts';
import type { EarlyQuestions } from '../../processing/orders/early-questions.ts';
import { chooseLanguage, knownLanguage } from '../checkout/language.ts';
import { type PageContext, pageContext } from '../checkout/layout.ts';
import { brokenPage, noticePage, outcomePage, waitPage } from '../checkout/outcome-pages.ts';
import type { Assets } from '../design/assets.ts';
import { seeOther, type WebReply, type WebRequest, type WebRoute } from '../route.ts';
import { toBankPage } from '../three-d-secure/pages.ts';

export type ChallengeRouteParts = {
  readonly checkout: Pick<Checkout, 'find'>;
  readonly questions: Pick<EarlyQuestions, 'payerCameBack'>;
  readonly assets: Assets;
  readonly basePath: string;
};

export function challengeRoute(parts: ChallengeRouteParts): WebRoute {
  const prefix = '/challenge/';
  const broken: WebRoute['broken'] = (request) => brokenPage({ ...parts, prefix }, request);
  return { prefix, handle: (request) => answer(parts, request), broken };
}

async function answer(parts: ChallengeRouteParts, request: WebRequest): Promise<WebReply> {
  const [, token = '', below = ''] = /^([\w-]+)(\/back(?:\/state)?)?$/.exec(request.rest) ?? [];
  const order = await parts.checkout.find(token);
  const context = contextOf(parts, request, order === 'foreign' ? undefined : `${token}${below && '/back'}`);
  if (order === 'foreign') return noticePage(context, { status: 404, title: 'foreignTitle', text: 'foreignText' });
  if (order.state === 'gone') return outcomePage(context, order);
  if (below !== '') parts.questions.payerCameBack(order.order);
  if (below === '/back/state') return stateReply(order);
  const { challengeUrl } = order.transaction;
  if (order.state !== 'challenge' || challengeUrl === undefined) return seeOther(resultOf(parts, request, token));
  if (below === '') return toBankPage(context, order, challengeUrl);
  // A reload of the page must not send a form of the bank again.
  if (request.method === 'POST') return seeOther(withLanguage(`${context.path}`, request));
  return waitPage(context, order, {
    ...{ state: order.state, isLong: false },
    toBank: withLanguage(`${parts.basePath}/challenge/${token}`, request),
  });
}

function contextOf({ assets, basePath }: ChallengeRouteParts, request: WebRequest, below?: string): PageContext {
  const language = chooseLanguage(request.query.get('lang'), request.headers['accept-language']);
  const path = below === undefined ? undefined : `${basePath}/challenge/${below}`;
  return pageContext({ language, assets, basePath, path });
}

function resultOf({ basePath }: ChallengeRouteParts, request: WebRequest, token: string): string {
  return withLanguage(`${basePath}/pay/${token}`, request);
}

function withLanguage(address: string, { query }: WebRequest): string {
  const chosen = knownLanguage(query.get('lang') ?? '');
  return chosen === undefined ? address : `${address}?lang=${chosen}`;
}

function stateReply({ state }: PayerOrder): WebReply {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ state }) };
}
