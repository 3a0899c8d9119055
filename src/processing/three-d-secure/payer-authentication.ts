// A payer's way through 3-D Secure on our own pages: whose turn it is, and what the browser brings. An order is named by its link.

import type { AuthenticationRecord } from '../../domain/authentication-record.ts';
import { transactionOf } from '../../domain/order/order.ts';
import { payerBrowser, type ToldOfBrowser } from '../../domain/payer-browser.ts';
import type { OrderView } from '../../storage/store.ts';
import { readMethodNotification } from '../../threeds/messages/index.ts';
import type { Authentications } from './authentications.ts';
import { takeCres, takePaRes } from './browser-results.ts';
import { takeNetworkResult } from './network-results.ts';
import { notifyAddress, type PayerStep, payerStep, toldInOrder } from './payer-step.ts';
import { lineOf } from './transcript.ts';

/** `wait`: it is our turn or that of the networks. `elsewhere`: there is nothing more to do here. */
export type Turn = PayerStep | { readonly kind: 'wait' } | { readonly kind: 'elsewhere' };

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
    // Accepted a moment ago, and not begun yet.
    if (!authentication) return { kind: 'wait' };
    const step = payerStep(authentication, order, { ...this.#authentications.parts, now: clock.now() });
    return step ?? { kind: 'wait' };
  }

  /** The browser told what it is: the issuer is asked now. Resolves when it has answered. */
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

  /** The issuer has looked at the browser. It may only be believed that it did. */
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

  async challengeDone(token: string, cres: string): Promise<void> {
    const view = await this.#underway(token);
    if (!view) return;
    await takeCres(this.#authentications, view.authentication, { order: view.order, text: cres, from: 'browser' });
  }

  async paresCame(token: string, { text, merchantData }: { text: string; merchantData: string | undefined }) {
    const view = await this.#underway(token);
    if (!view) return;
    const taken = await takePaRes(this.#authentications, view.authentication, { text, merchantData, from: 'browser' });
    if ('record' in taken && taken.unfit === undefined) await this.#authentications.proceed(taken.record);
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
