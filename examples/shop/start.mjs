// Opens the shop beside a sandbox (`npx tender start`), with the demo merchant's key, which every sandbox has.
// A real key belongs in the environment only.

import { startShop } from './shop.mjs';

const { TENDER_KEY: controlKey = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638' } = process.env;
const { TENDER_URL: baseUrl = 'http://localhost:8080/paynet' } = process.env;
const shop = await startShop({ baseUrl, endpoint: 101, login: 'demo', controlKey });
process.stdout.write(`The shop is open at ${shop.url}\n`);
