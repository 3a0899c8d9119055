// 3-D Secure on our own pages: what the payer has to do next, and what the browser brings back by the payer's link.

import { transactionOf } from '../../domain/order/order.ts';
import type { AuthenticationRecord } from '../../domain/three-d-secure/authentication-record.ts';
import { headerText, payerBrowser, type ToldOfBrowser } from '../../domain/three-d-secure/payer-browser.ts';
import type { OrderView } from '../../storage/store.ts';
import { readMethodData, readMethodNotification, writeMethodNotification } from '../../threeds/messages/index.ts';
import type { Authentications, Learned } from './authentications.ts';
import { type BrowserResult, digestOf, type NotTaken, takeCres, takePaRes } from './browser-results.ts';
import { takeNetworkResult } from './network-results.ts';
import { notifyAddress, type PayerStep, payerStep, toldInOrder } from './payer-step.ts';
import { lineOf } from './transcript.ts';

/** `wait`: we or the card networks must act first. `elsewhere`: the payer has nothing more to do here. */
export type Turn = PayerStep | { readonly kind: 'wait' } | { readonly kind: 'elsewhere' };

/** What a browser brings from an issuer's page: the field of EMV 3DS, those of version 1, or nothing. */
export type Brought = {
  readonly cres?: string | undefined;
  readonly pares?: string | undefined;
  readonly merchantData?: string | undefined;
};

/** `data` is for the field `threeDSMethodData`. */
export type MethodReturn = { readonly url: string; readonly data: string };

type Underway = OrderView & { readonly authentication: AuthenticationRecord };

export class PayerAuthentication {
  readonly #authentications: Authentications;

  constructor(authentications: Authentications) {
    this.#authentications = authentications;
  }

  async turn(token: string): Promise<Turn> {
    const { clock } = this.#authentications.parts;
    const view = await this.#view(token);
    const isWaited = view?.order.transactions.some(({ stage }) => stage === 'authenticating');
    if (!view || !isWaited) return { kind: 'elsewhere' };
    const { order, authentication } = view;
    // The payment was accepted a moment ago, and its authentication did not begin yet.
    if (!authentication) return { kind: 'wait' };
    const step = payerStep(authentication, order, { ...this.#authentications.parts, now: clock.now() });
    return step ?? { kind: 'wait' };
  }

  /** The browser described itself: the issuer is asked now. Resolves when it has answered. */
  async continue(token: string, told: ToldOfBrowser): Promise<void> {
    const view = await this.#underway(token);
    if (view?.authentication.step.name !== 'browser') return;
    const { order, details, authentication } = view;
    const { transactionId } = authentication.step as { transactionId: string };
    const browser = payerBrowser({ ...toldInOrder(details), ...told });
    if (!('acceptHeader' in browser)) return;
    const notificationUrl = notifyAddress(order, this.#authentications.parts);
    const { record, unfit } = await this.#authentications.learn(authentication, {
      ...{ type: 'browser-told', transactionId, browser, notificationUrl },
      completion: undefined,
      digest: undefined,
    });
    if (unfit === undefined) await this.#authentications.proceed(record);
  }

  /** The issuer's method page is done. A browser's word for it proves nothing else. */
  async methodDone(token: string, methodData: string): Promise<void> {
    const view = await this.#underway(token);
    const transactionId = readMethodNotification(methodData);
    if (!view || transactionId === undefined) return;
    const line = lineOf(
      'browser',
      { messageType: 'threeDSMethodData', threeDSServerTransID: transactionId },
      this.#now(),
    );
    await this.#authentications.learn(view.authentication, { type: 'method-done', transactionId }, line);
  }

  /**
   * Our own method page saw the browser, in the place of the issuer's. Returns where the browser is to tell that the
   * page is done: the URL that was posted to it, as an issuer would do. Undefined when no such page is waited for.
   */
  async methodSeen(token: string, methodData: string, seen: ToldOfBrowser): Promise<MethodReturn | undefined> {
    const view = await this.#underway(token);
    const asked = readMethodData(methodData);
    if (view?.authentication.step.name !== 'browser' || !asked) return undefined;
    const { threeDSServerTransID: transactionId, threeDSMethodNotificationURL: url } = asked;
    const line = lineOf('browser', { messageType: 'method-page', threeDSServerTransID: transactionId }, this.#now());
    const event = { type: 'method-done', transactionId, seen: cut(seen) } as const;
    const { unfit } = await this.#authentications.learn(view.authentication, event, line);
    return unfit === undefined ? { url, data: writeMethodNotification(transactionId) } : undefined;
  }

  /** The browser came back from the issuer's page. A result we cannot take must not send it there again. */
  async browserBack(token: string, brought: Brought): Promise<void> {
    const view = await this.#underway(token);
    if (!view) return;
    const taken = await this.#taken(view, brought);
    if ('wrong' in taken && (await this.#isOfCardBefore(view, brought))) return;
    const { record, unfit } = 'wrong' in taken ? await this.#backWith(view.authentication, brought, taken) : taken;
    // Only version 1 ends with what a browser brings.
    const isEnded = unfit === undefined && view.authentication.step.name === 'pareq';
    if (isEnded) await this.#authentications.proceed(record);
  }

  #taken({ authentication, order }: Underway, { cres = '', pares, merchantData }: Brought): Promise<BrowserResult> {
    return pares === undefined
      ? takeCres(this.#authentications, authentication, { order, text: cres, from: 'browser' })
      : takePaRes(this.#authentications, authentication, { text: pares, merchantData, from: 'browser' });
  }

  /** Whether the back button or another tab brings the result of an earlier card, which says nothing of this one. */
  async #isOfCardBefore(view: Underway, brought: Brought): Promise<boolean> {
    const { merchantId, orderId, seq: latest } = view.authentication;
    for (let seq = latest - 1; seq > 0; seq--) {
      const authentication = await this.#authentications.parts.store.find({ merchantId, orderId, seq });
      const taken = authentication && (await this.#taken({ ...view, authentication }, brought));
      // Only the digest of a PARes is kept.
      const isOfIt = taken && !('wrong' in taken) && (brought.pares === undefined || taken.unfit === 'repeated');
      if (isOfIt) return true;
    }
    return false;
  }

  #backWith(record: AuthenticationRecord, { pares = '' }: Brought, { wrong }: NotTaken): Promise<Learned> {
    const [messageType, event] =
      record.step.name === 'pareq'
        ? (['PARes', { type: 'pares', pares: 'unfit', digest: digestOf(pares) }] as const)
        : (['CRes', { type: 'browser-back', said: 'error', digest: undefined }] as const);
    return this.#authentications.learn(record, event, lineOf('browser', { messageType, wrong }, this.#now()));
  }

  takeNetworkResult(json: string): Promise<string> {
    return takeNetworkResult(this.#authentications, json);
  }

  #now(): number {
    return this.#authentications.parts.clock.now();
  }

  async #underway(token: string): Promise<Underway | undefined> {
    const view = await this.#view(token);
    const authentication = view?.authentication;
    if (!view || !authentication) return undefined;
    const { stage } = transactionOf(view.order, authentication.seq);
    // A result may come by the browser a moment after the directory server's, and is kept all the same.
    return stage === 'authenticating' || authentication.step.name === 'over' ? { ...view, authentication } : undefined;
  }

  async #view(token: string): Promise<OrderView | undefined> {
    const { links, orders } = this.#authentications.parts;
    const link = links.read(token);
    if (!link) return undefined;
    const { merchantId, orderId } = link;
    return orders.findOrderView({ merchantId, orderId, clientOrderId: undefined });
  }
}

/** A browser may send any text, and as much as it wants. */
function cut(seen: ToldOfBrowser): ToldOfBrowser {
  const known = Object.entries(seen).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, headerText(value)]));
}
