// Cards that merchants keep: referred to, looked at, and charged again, by hand and as recurring payments.

import { newOrderId, type ReplyBody, sha1 } from '../../harness.ts';
import { chargeRecurring, createCardReference, createRecurring, rebill } from '../../scenarios/stored-cards.ts';
import type { Requests } from '../requests.ts';
import { keyed } from '../ways.ts';
import { STORED_CARD, type Story, type StoryParts } from './story.ts';

export function storedCardStories({ requests, cards }: StoryParts): readonly Story[] {
  return [
    { weight: 5, operations: ['SALE', 'CARDREF'], tell: () => cards.store('CARDREF') },
    { weight: 4, operations: ['SALE', 'CARDREF_V4'], tell: () => cards.store('CARDREF_V4') },
    { weight: 4, operations: ['CARDINFO'], tell: () => cardInfo(requests, cards) },
    { weight: 8, operations: ['REBILL'], tell: () => chargeAgain(requests, cards, 'REBILL') },
    { weight: 3, operations: ['REBILL_SALE'], tell: () => chargeAgain(requests, cards, 'REBILL_SALE') },
    { weight: 4, operations: ['REBILL_PREAUTH', 'CAPTURE', 'RETURN'], tell: () => holdAgain(requests, cards) },
    { weight: 3, operations: ['CREATE_RP_V4'], tell: () => cards.newRecurring() },
    { weight: 6, operations: ['PROCESS_RP_V4'], tell: () => chargeNow(requests, cards) },
  ];
}

/** What was kept so far, for every story that needs a card that is. */
export class StoredCards {
  readonly #requests: Requests;
  readonly #references: string[] = [];
  readonly #recurring: string[] = [];

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** One that is there already, or a new one; undefined when its sale was not approved in time. */
  async reference(): Promise<string | undefined> {
    return this.#requests.oneOf(this.#references) ?? (await this.store('CARDREF'));
  }

  async recurring(): Promise<string | undefined> {
    return this.#requests.oneOf(this.#recurring) ?? (await this.newRecurring());
  }

  /** Sells to a card and keeps it. */
  async store(operation: 'CARDREF' | 'CARDREF_V4'): Promise<string | undefined> {
    const card = { credit_card_number: STORED_CARD, cvv2: '123' };
    const sell = keyed((client) => client.sale);
    const sale = await this.#requests.order('SALE', card, sell);
    if (!sale || !(await this.#requests.isApproved(sale))) return undefined;
    const reply = await this.#requests.accepted(operation, (client) =>
      operation === 'CARDREF'
        ? createCardReference(client, sale, client.home)
        : client.oauth('/api/v4/create-card-ref', namesOf(sale)),
    );
    return reply && this.#kept(operation, reply['card-ref-id'], this.#references);
  }

  async newRecurring(): Promise<string | undefined> {
    const fields = { client_orderid: newOrderId(), credit_card_number: STORED_CARD };
    const reply = await this.#requests.accepted('CREATE_RP_V4', (client) =>
      createRecurring(client, fields, client.home),
    );
    return reply && this.#kept('CREATE_RP_V4', reply['recurring-payment-id'], this.#recurring);
  }

  async #kept(operation: 'CARDREF' | 'CARDREF_V4' | 'CREATE_RP_V4', reference: string, list: string[]) {
    await this.#requests.written({ operation, reference });
    list.push(reference);
    return reference;
  }
}

const namesOf = (order: ReplyBody) => ({
  client_orderid: order['merchant-order-id'],
  orderid: order['paynet-order-id'],
});

async function cardInfo(requests: Requests, cards: StoredCards): Promise<void> {
  const cardrefid = await cards.reference();
  if (cardrefid === undefined) return;
  const at = requests.anyWay();
  const card = await requests.accepted('CARDINFO', (client) => {
    const control = sha1(`${client.login}${cardrefid}${client.key}`);
    return client.post(`/api/v2/get-card-info/${at.endpoint}`, { login: client.login, cardrefid, control }, at);
  });
  if (card && card['last-four-digits'] !== STORED_CARD.slice(-4))
    requests.complain('CARDINFO', { status: 200, text: JSON.stringify(card) });
}

const PATHS = {
  REBILL: 'make-rebill',
  REBILL_SALE: 'make-rebill-sale',
  REBILL_PREAUTH: 'make-rebill-preauth',
} as const;

async function chargeAgain(requests: Requests, cards: StoredCards, name: keyof typeof PATHS) {
  const reference = await cards.reference();
  if (reference === undefined) return undefined;
  return requests.order(name, {}, (client, { fields }) => rebill(client, reference, fields, client.home, PATHS[name]));
}

/** A part of what is held is captured, and the rest is given back. */
async function holdAgain(requests: Requests, cards: StoredCards): Promise<void> {
  const order = await chargeAgain(requests, cards, 'REBILL_PREAUTH');
  if (!order || !(await requests.isApproved(order))) return;
  if (!(await requests.followUp('capture', order, { amount: '0.70', currency: 'USD' }))) return;
  await requests.followUp('return', order, { amount: '0.30', currency: 'USD', return_type: 'cancel' });
}

async function chargeNow(requests: Requests, cards: StoredCards): Promise<void> {
  const id = await cards.recurring();
  if (id !== undefined)
    await requests.order('PROCESS_RP_V4', {}, (client, { fields }) => chargeRecurring(client, id, fields));
}
