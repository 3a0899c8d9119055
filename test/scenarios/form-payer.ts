// A payer's browser without scripts, spoken by plain HTTP, and the merchant's requests that open forms for it.

import {
  CARD,
  type Client,
  encode,
  type Fields,
  minorUnits,
  newOrderId,
  type Reply,
  sha1,
  type TestGateway,
} from '../harness.ts';
import { unescaped } from '../html-text.ts';

type FormOperation = 'sale-form' | 'preauth-form' | 'account-verification-form' | 'payment-form' | 'payout-form';

export const formFields = {
  order_desc: 'A pair of socks',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
} satisfies Fields;

export type Opened = {
  readonly reply: Reply;
  readonly address: string;
  readonly clientOrderId: string;
  readonly orderId: string;
  readonly payer: Payer;
};

/** Who asks for a form: the demo merchant, unless another one is named. */
export type Asking = { readonly client?: Client; readonly endpoint?: number };

/** A rightly signed request for a form; `control: undefined` leaves the signature out. */
export function formRequest(
  gateway: Pick<TestGateway, 'demo'>,
  operation: FormOperation,
  changes: Fields = {},
  { client = gateway.demo, endpoint = 101 }: Asking = {},
): Promise<Reply> {
  const isFree = operation === 'account-verification-form';
  const { amount, currency, ...free } = formFields;
  const priced = isFree ? free : { ...free, amount, currency };
  const fields: Fields = { client_orderid: newOrderId(), ...priced, ...changes };
  const minor = fields.amount === undefined ? '' : minorUnits(fields.amount, fields.currency);
  const control = sha1(`${endpoint}${fields.client_orderid}${minor}${fields.email ?? ''}${client.key}`);
  return client.post(`/api/v2/${operation}/${endpoint}`, { control, ...fields });
}

export async function openForm(
  gateway: TestGateway,
  operation: FormOperation,
  changes: Fields = {},
  asking: Asking = {},
): Promise<Opened> {
  return opened(gateway, await formRequest(gateway, operation, changes, asking));
}

export function opened(gateway: TestGateway, reply: Reply): Opened {
  if (reply.status !== 200) throw new Error(`the form was refused: ${reply.status} ${reply.text}`);
  const { 'redirect-url': address, 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = reply.body;
  return { reply, address, clientOrderId, orderId, payer: new Payer(gateway.origin, address) };
}

export const card = {
  credit_card_number: CARD,
  expiry: '12 / 31',
  cvv2: '123',
  card_printed_name: 'ANN EXAMPLE',
} satisfies Fields;

export type Page = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
};

export class Payer {
  readonly #address: string;

  /** `origin`: of the gateway that answers, which may be another than the one that made the link. */
  constructor(origin: string, address: string) {
    this.#address = address.replace(/^http:\/\/localhost:\d+/, origin);
  }

  async open(query = '', headers: Record<string, string> = {}): Promise<Page> {
    return this.#read(await fetch(this.#address + query, { redirect: 'manual', headers }));
  }

  /** Opens the page, fills in its form and sends it. */
  async pay(changes: Fields = {}, headers: Record<string, string> = {}): Promise<Page> {
    return this.send(hiddenFields((await this.open()).text), changes, headers);
  }

  async send(hidden: Fields, changes: Fields = {}, headers: Record<string, string> = {}): Promise<Page> {
    const body = encode({ ...hidden, ...card, ...changes });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await fetch(this.#address, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { ...type, ...headers },
    });
    return this.#read(reply);
  }

  async state(): Promise<string> {
    return ((await (await fetch(`${this.#address}/state`)).json()) as { state: string }).state;
  }

  async #read(reply: Response): Promise<Page> {
    return { status: reply.status, text: await reply.text(), headers: reply.headers };
  }
}

export function hiddenFields(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]));
}
