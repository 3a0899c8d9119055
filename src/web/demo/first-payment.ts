// A first payment as commands to paste, signed with the demo merchant's key as any merchant would sign it. The order is
// a new one each time, so that nothing has to be computed where it is pasted.

import { createHash } from 'node:crypto';

export type FirstPaymentParts = {
  /** The address of the interface, such as http://localhost:8080/paynet. */
  readonly baseUrl: string;
  readonly login: string;
  readonly controlKey: string;
  readonly endpointId: number;
  readonly clientOrderId: string;
};

const EMAIL = 'ann@example.com';
const AMOUNT = { written: '10.42', minor: '1042' };

export type FirstPayment = { readonly sale: string; readonly status: string; readonly story: string };

export function firstPayment(parts: FirstPaymentParts): FirstPayment {
  const { baseUrl, login, controlKey, endpointId, clientOrderId } = parts;
  const sale = {
    client_orderid: clientOrderId,
    ...{ amount: AMOUNT.written, currency: 'USD', email: EMAIL, order_desc: 'Coffee' },
    ...{ credit_card_number: '4444555566661111', expire_month: '12', expire_year: '2034', cvv2: '123' },
    card_printed_name: 'ANN',
    control: sha1(`${endpointId}${clientOrderId}${AMOUNT.minor}${EMAIL}${controlKey}`),
  };
  const status = { login, client_orderid: clientOrderId, control: sha1(`${login}${clientOrderId}${controlKey}`) };
  return {
    sale: curl(`${baseUrl}/api/v2/sale/${endpointId}`, sale),
    status: curl(`${baseUrl}/api/v2/status/${endpointId}`, status),
    story: `npx tender order show ${clientOrderId} --merchant ${login}`,
  };
}

/** No value needs quotes. */
function curl(url: string, fields: Readonly<Record<string, string>>): string {
  const given = Object.entries(fields).map(([name, value]) => `-d ${name}=${value}`);
  return [`curl -s ${url}`, "-H 'Accept: application/vnd.pay+json'", ...given].join(' \\\n  ');
}

function sha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex');
}
