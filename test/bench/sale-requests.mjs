// Whole HTTP requests as bytes, signed for the demo merchant of a sandbox. Sales are prepared ahead of a slice: copies
// of one template whose order number and signature are patched in, so that sending one costs next to nothing.
import { hash } from 'node:crypto';

export const CONTROL_KEY = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';

export const DEMO = { login: 'demo', endpointId: '101', controlKey: CONTROL_KEY };

const NUMBER_DIGITS = 9;
const CONTROL_CHARACTERS = 40;

// What a shop sends: a payer with an address, approved by the simulated bank for the security code 123.
export const SALE = {
  client_orderid: `bench-${'0'.repeat(NUMBER_DIGITS)}`,
  order_desc: 'Two tickets, row 12',
  first_name: 'Ann',
  last_name: 'Example',
  birthday: '19840229',
  address1: '1 Main Street',
  city: 'Seattle',
  state: 'WA',
  zip_code: '98102',
  country: 'US',
  phone: '+12063582043',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  ipaddress: '203.0.113.7',
  site_url: 'https://shop.example',
  credit_card_number: '4111111111111111',
  card_printed_name: 'ANN EXAMPLE',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
  redirect_url: 'https://shop.example/paid',
  control: '0'.repeat(CONTROL_CHARACTERS),
};

/** Counted for all servers together: two of them may share a database. */
let lastNumber = 0;

/** Numbers of this process go on from here: two generators never send the same order. */
export function numberFrom(first) {
  lastNumber = first;
}

export class SaleRequests {
  #merchant;
  #bytes;
  #prepared = 0;
  #next = 0;

  /** Requests to the server at this port; `room` is how many can be prepared at once. */
  constructor({ room, port, merchant = DEMO }) {
    this.#merchant = merchant;
    this.template = post(`/paynet/api/v2/sale/${merchant.endpointId}`, SALE, port);
    this.numberAt = this.template.indexOf(SALE.client_orderid) + 'bench-'.length;
    this.controlAt = this.template.indexOf(`control=${SALE.control}`) + 'control='.length;
    this.#bytes = Buffer.alloc(this.template.length * room, this.template);
  }

  /** Fills the room with new orders, or as much of it as is needed. */
  prepare(needed = Number.POSITIVE_INFINITY) {
    this.#next = 0;
    this.#prepared = Math.min(needed, this.#bytes.length / this.template.length);
    for (let slot = 0; slot < this.#prepared; slot++) this.#sign(this.#bytes, slot * this.template.length);
  }

  next() {
    if (this.#next < this.#prepared) {
      const start = this.#next++ * this.template.length;
      return this.#bytes.subarray(start, start + this.template.length);
    }
    const late = Buffer.from(this.template);
    this.#sign(late, 0);
    return late;
  }

  #sign(bytes, start) {
    const number = String(++lastNumber).padStart(NUMBER_DIGITS, '0');
    bytes.latin1Write(number, start + this.numberAt);
    bytes.latin1Write(saleControl(`bench-${number}`, '1042', SALE.email, this.#merchant), start + this.controlAt);
  }
}

export function saleControl(clientOrderId, minor, email, { endpointId, controlKey } = DEMO) {
  return hash('sha1', endpointId + clientOrderId + minor + email + controlKey);
}

export function statusRequest({ clientOrderId, orderId }, { port, merchant = DEMO }) {
  const { login, endpointId, controlKey } = merchant;
  const control = hash('sha1', login + clientOrderId + orderId + controlKey);
  const fields = { login, client_orderid: clientOrderId, orderid: orderId, control };
  return post(`/paynet/api/v2/status/${endpointId}`, fields, port);
}

/** It names host and port, as clients do: a sandbox that is called by a name it does not know has more to do. */
function post(path, fields, port) {
  const body = new URLSearchParams(fields).toString();
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    'Accept: application/vnd.pay+json',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}
