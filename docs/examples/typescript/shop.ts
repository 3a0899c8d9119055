// The client that all examples use, with the demo merchant of a sandbox.
import { readFileSync } from 'node:fs';
import { TenderClient } from 'tender/client';

const { env } = process;

export const CONTROL_KEY = env.TENDER_KEY ?? '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';

/** In PEM; the operations of version 4 are signed with it. */
export const privateKey = () => readFileSync(env.TENDER_PRIVATE_KEY ?? 'data/demo-private-key.pem', 'utf8');

export const shop = {
  baseUrl: env.TENDER_URL ?? 'http://localhost:8080/paynet',
  endpoint: env.TENDER_ENDPOINT ?? 101,
  login: env.TENDER_LOGIN ?? 'demo',
  controlKey: CONTROL_KEY,
};

export const client = new TenderClient(shop);

export const CARD = {
  credit_card_number: '4444555566661111',
  card_printed_name: 'ANN EXAMPLE',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
};

export const newOrder = () => `ts-${crypto.randomUUID().slice(0, 12)}`;
