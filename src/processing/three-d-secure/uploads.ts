// The merchant runs the steps of 3-D Secure itself and uploads the result of each. An upload that does not belong to
// the step the order waits for is refused and changes nothing; the same upload again gets the same reply.

import { fault, invariant, Refusal, refuse } from '../../domain/errors.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { AuthenticationRecord, MethodCompletion } from '../../domain/three-d-secure/authentication-record.ts';
import { payerBrowser, type ToldOfBrowser } from '../../domain/three-d-secure/payer-browser.ts';
import type { OrderStore, OrderView } from '../../storage/store.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import type { Accepted } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';
import { strictRefusal } from '../requests/strict-orders.ts';
import type { Authentications } from './authentications.ts';
import { type BrowserResult, digestOf, takeCres, takePaRes } from './browser-results.ts';
import { notifyAddress, toldInOrder } from './payer-step.ts';
import { lineOf } from './transcript.ts';

export type Upload = { readonly clientOrderId: string; readonly orderId: number } & (
  | {
      readonly kind: 'method';
      readonly transactionId: string;
      readonly completion: MethodCompletion | undefined;
      readonly browser: ToldOfBrowser;
    }
  | { readonly kind: 'cres'; readonly text: string }
  | { readonly kind: 'pares'; readonly text: string; readonly merchantData: string | undefined }
);

/** The longest URL that 3-D Secure messages take for the way back. */
const LONGEST_ADDRESS = 256;

const FIELDS = { method: 'threeDSServerTransID', cres: 'cRes', pares: 'paRes' } as const;

export type UploadParts = {
  readonly authentications: Authentications;
  readonly configuration: LiveConfiguration;
  readonly store: OrderStore;
};

export async function takeUpload(parts: UploadParts, upload: Upload, caller: Caller): Promise<Accepted | Refusal> {
  const { authentications, store } = parts;
  const { merchantId } = caller.merchant;
  const { clientOrderId, orderId } = upload;
  const view = await store.findOrderView({ merchantId, clientOrderId, orderId });
  if (!view) return refuse('order-not-found', { field: 'orderid' });
  const notStrict = strictRefusal(parts.configuration, view.order, caller);
  if (notStrict) return notStrict;
  if (!view.authentication) {
    return refuse('authentication-not-pending', { hint: 'no 3-D Secure authentication is in progress for it' });
  }
  const taken = await take(authentications, view, view.authentication, upload);
  if (taken instanceof Refusal) return taken;
  if (taken.unfit !== undefined && taken.unfit !== 'repeated') return refusalOf(taken, upload);
  if ('record' in taken && taken.unfit === undefined) void authentications.proceed(taken.record);
  return { order: view.order, serialNumber: caller.serialNumber };
}

async function take(
  authentications: Authentications,
  view: OrderView,
  record: AuthenticationRecord,
  upload: Upload,
): Promise<BrowserResult | Refusal> {
  switch (upload.kind) {
    case 'cres':
      return takeCres(authentications, record, { order: view.order, text: upload.text, from: 'merchant' });
    case 'pares':
      return takePaRes(authentications, record, { ...upload, from: 'merchant' });
    case 'method':
      return takeMethod(authentications, view, record, upload);
  }
}

async function takeMethod(
  authentications: Authentications,
  { order, details }: OrderView,
  record: AuthenticationRecord,
  { transactionId, completion, browser: told }: Extract<Upload, { kind: 'method' }>,
): Promise<BrowserResult | Refusal> {
  const { clock } = authentications.parts;
  const id = transactionId.toLowerCase();
  const digest = digestOf(JSON.stringify([id, completion ?? null, Object.entries(withoutNothing(told)).sort()]));
  // What our own page saw of the browser is not known any more when an upload is repeated later.
  const { method: earlier } = record.taken;
  if (earlier !== undefined) return { record, unfit: earlier === digest ? 'repeated' : 'contradicts' };
  const seen = record.step.name === 'browser' ? record.step.seen : undefined;
  const browser = payerBrowser({ ...seen, ...withoutNothing(toldInOrder(details)), ...withoutNothing(told) });
  if (!('acceptHeader' in browser)) return missingOf(browser);
  const notificationUrl = merchantsPage(details) ?? notifyAddress(order, authentications.parts);
  const said = { messageType: 'method-url-result', threeDSServerTransID: id, threeDSCompInd: completion };
  const event = { type: 'browser-told', transactionId: id, browser, completion, notificationUrl, digest } as const;
  return authentications.learn(record, event, lineOf('merchant', said, clock.now()));
}

/** A merchant who runs the steps itself wants the browser to bring the result back to its own page. */
function merchantsPage({ redirectUrl }: OrderDetails): string | undefined {
  return redirectUrl !== undefined && redirectUrl.length <= LONGEST_ADDRESS ? redirectUrl : undefined;
}

function withoutNothing(told: ToldOfBrowser): ToldOfBrowser {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

function missingOf(names: readonly (keyof ToldOfBrowser)[]): Refusal {
  const [first, ...more] = names.map((name) => fault('parameter-required', { field: wireName(name) }));
  invariant(first, 'a browser is not known and lacks nothing');
  return new Refusal(first, ...more);
}

function wireName(name: keyof ToldOfBrowser): string {
  return `browser${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function refusalOf(taken: BrowserResult, { kind }: Upload): Refusal {
  const field = FIELDS[kind];
  const wrong = 'wrong' in taken ? taken.wrong : field;
  switch (taken.unfit) {
    case 'malformed':
      return refuse('parameter-malformed', { field, hint: wrong });
    case 'foreign':
      return refuse('authentication-differs', { field, hint: wrong });
    case 'contradicts':
      return refuse('authentication-contradicts', { field });
    case 'too-late':
      return refuse('authentication-not-pending', { hint: 'the time for it has run out' });
    default:
      return refuse('authentication-not-pending', { hint: 'ask STATUS; tds-status names the step it waits for' });
  }
}
