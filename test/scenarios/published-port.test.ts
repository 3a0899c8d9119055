// A sandbox in a container: shop and payer are elsewhere, reach it through one port by a name that it does not know,
// and are reached themselves at private addresses. Here it listens on all addresses and is called by another than its
// own; the address 0.0.0.0 stands for a private one, because it counts as one and leads to this machine.

import { expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import {
  CARD,
  type Client,
  DEMO,
  DEMO_MERCHANT_ID,
  describeGateway,
  newOrderId,
  oauthHeader,
  type Reply,
  type ReplyBody,
  until,
} from '../harness.ts';
import { BROWSER, REQUIRED, sale } from './authenticating.ts';
import { formRequest, opened } from './form-payer.ts';
import { answerIssuer, formOf, Payer, passChallenge, SCREEN } from './payer.ts';

const NAMES = { shop: ['0.0.0.0'], stranger: ['0.0.0.0'], rebound: ['10.0.0.1', '0.0.0.0'] };
const PRIVATE = { host: '0.0.0.0', callbackHosts: ['shop', 'rebound:1'] };

describeGateway(
  'a sandbox that is reached from elsewhere',
  { networks: 'none', names: NAMES, settings: PRIVATE },
  (gateway) => {
    const port = () => new URL(gateway.origin).port;
    const elsewhere = () => `http://127.0.0.2:${port()}`;
    const caller = gateway.client(DEMO, () => `${elsewhere()}/paynet`);
    const address = ({ body }: Reply) => body['redirect-url'] as string;
    const form = (client: Client, fields = {}) =>
      formRequest(gateway, 'sale-form', { currency: 'EUR', ...fields }, { client, endpoint: REQUIRED });

    /** The status of a sale by card once it asks for the payer. */
    async function payersTurn(): Promise<ReplyBody> {
      const { body } = await caller.sale(sale(TEST_CARDS.challenge, BROWSER), { endpoint: REQUIRED });
      let last: ReplyBody = {};
      await until('it is the turn of the payer', async () => {
        last = (await caller.status({ client_orderid: body['merchant-order-id'] }, { endpoint: REQUIRED })).body;
        return last['redirect-to'] !== undefined;
      });
      return last;
    }

    it.each(['challenge', 'challengeMethod', 'legacy'] as const)(
      'takes a payer through its form and 3-D Secure at the one address that was called: %s',
      async (name) => {
        const reply = await form(caller);
        const { clientOrderId } = opened(gateway, reply);
        const payer = new Payer();
        const page = await payer.open(address(reply));
        const typed = { credit_card_number: TEST_CARDS[name].number, expiry: '12 / 31', cvv2: '123' };
        const origin = {
          action: address(reply),
          fields: { ...formOf(page).fields, ...typed, card_printed_name: 'ANN' },
        };
        const paid = await payer.send({ ...origin, target: undefined });
        expect(paid.status, paid.text).toBe(303);
        let step = await payer.openWhenReady(new URL(paid.url, elsewhere()).href.replace('/pay/', '/3ds/'));
        if (name !== 'legacy') {
          const [tells] = step.forms.slice(-1);
          const method = step.forms.find(({ target }) => target === 'method');
          expect(method !== undefined).toBe(name === 'challengeMethod');
          // The hidden frame: the issuer's page, which reports back to ours.
          if (method) expect((await payer.send(formOf(await payer.send(method)))).status).toBe(200);
          step = await payer.send(tells as NonNullable<typeof tells>, SCREEN);
        }
        const question = await payer.send(formOf(step));
        expect(question.headers.get('content-security-policy')).toContain('frame-ancestors *');
        await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
        expect(await caller.untilFinal(clientOrderId, { endpoint: REQUIRED })).toMatchObject({
          status: 'approved',
          'verified-3d-status': 'AUTHENTICATED',
        });
        expect(payer.visited.filter((url) => url.includes('/sandbox/issuer/acs/')).length).toBeGreaterThan(1);
        expect(payer.visited.filter((url) => !url.startsWith(`${elsewhere()}/paynet/`))).toEqual([]);
      },
    );

    it('tells the merchant who runs 3-D Secure itself addresses that it reaches', async () => {
      const status = await payersTurn();
      expect(status['tds-acs-url']).toBe(`${elsewhere()}/paynet/sandbox/issuer/acs/challenge`);
      expect(status['redirect-to']).toMatch(`${elsewhere()}/paynet/3ds/`);
      const payer = new Payer();
      await passChallenge(payer, status, 'hint');
      expect(payer.visited.filter((url) => !url.startsWith(elsewhere()))).toEqual([]);
    });

    it('serves of the simulated card networks nothing but what payers see', async () => {
      for (const path of ['v1/faults', 'v1/transcript', 'emv-3ds', '3ds-1/signers', 'healthz', 'acs/nothing']) {
        const reply = await fetch(`${elsewhere()}/paynet/sandbox/issuer/${path}`);
        expect([path, reply.status]).toEqual([path, 404]);
      }
      expect((await fetch(`${elsewhere()}/paynet/sandbox/issuer/acs/page.css`)).status).toBe(200);
      const posted = async (bytes: number) => {
        const asked = { method: 'POST', body: 'x'.repeat(bytes) };
        return (await fetch(`${elsewhere()}/paynet/sandbox/issuer/acs/pareq`, asked)).status;
      };
      expect([await posted(16 * 1024), await posted(16 * 1024 + 1)]).toEqual([400, 413]);
    });

    it('shows everybody its document and its first page with the address they called', async () => {
      for (const origin of [elsewhere(), gateway.origin.replace('127.0.0.1', 'localhost'), elsewhere()]) {
        const document = (await (await fetch(`${origin}/openapi.json`)).json()) as { servers: { url: string }[] };
        expect(document.servers[0]?.url).toBe(`${origin}/paynet`);
        expect(await (await fetch(`${origin}/`)).text()).toContain(`${origin}/paynet/api/v2/sale/`);
      }
    });

    it('goes by its own name where it is called from its own machine', async () => {
      expect(address(await form(gateway.demo))).toMatch(`http://localhost:${port()}/paynet/pay/`);
    });

    it('lets the demo shop be used from there, and hears its callback', async () => {
      const shop = `${elsewhere()}/paynet/demo`;
      const payer = new Payer();
      const bought = await payer.send({ action: `${shop}/buy`, fields: { endpoint: '101' }, target: undefined });
      expect(bought.text).toContain(`href="${elsewhere()}/paynet/pay/`);
      expect(bought.text).toContain(`redirect_url=${shop}/back`);
      expect(bought.text).toContain(`server_callback_url=http://localhost:${port()}/paynet/demo/callback`);
    });

    it('calls back a listed name at its private address, and nobody else there', async () => {
      const shop = await gateway.shop();
      const paid = async (server_callback_url: string) => gateway.demo.saleUntilFinal({ server_callback_url });
      const order = await paid(`http://shop:${shop.port}/callback`);
      await until('the shop is called', () => shop.of(order).length === 1);
      expect(shop.complaints).toEqual([]);
      // Another name for the same address, and a listed name with another port than the listed one.
      for (const name of ['stranger', 'rebound']) {
        const id = (await paid(`http://${name}:${shop.port}/callback`))['paynet-order-id'];
        const attempts = () => gateway.query(`select fault from callback_attempts where order_id = ${id}`);
        await until('it was tried', async () => (await attempts()).length > 0);
        const fault = 'it leads to a local or private address; --callback-hosts lists those that this sandbox may call';
        expect((await attempts())[0]).toEqual({ fault });
      }
      expect(shop.told.length).toBe(1);
      const refused = await gateway.demo.sale({ server_callback_url: 'http://10.0.0.1/' });
      expect(refused.text).toContain('--callback-hosts');
    });

    it('keeps to --base-url where it is given, whoever calls', async () => {
      await gateway.restart({ baseUrl: 'http://pay.example:9000/paynet' });
      expect(address(await form(caller))).toMatch('http://pay.example:9000/paynet/pay/');
      const status = await payersTurn();
      expect(status['tds-acs-url']).toBe('http://pay.example:9000/paynet/sandbox/issuer/acs/challenge');
      // That address does not lead back here: the issuer tells its result all the same.
      const payer = new Payer();
      const action = (status['tds-acs-url'] as string).replace('http://pay.example:9000', gateway.origin);
      const question = await payer.send({ action, fields: { creq: status['tds-creq'] }, target: undefined });
      await answerIssuer(payer, question, 'hint');
      const end = await caller.untilFinal(status['merchant-order-id'], { endpoint: REQUIRED });
      expect(end).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' });
    });

    it('in production gives out its base URL alone, takes OAuth over it alone, and has no simulated issuer', async () => {
      const { client, id } = await gateway.newMerchant({ creditLimit: 1_000_000n });
      await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
      await gateway.restart({ mode: 'production', baseUrl: 'https://pay.example/paynet' });
      const there = gateway.client(client, () => `${elsewhere()}/paynet`);
      const asked = { client: there, endpoint: id };
      expect(address(await formRequest(gateway, 'sale-form', {}, asked))).toMatch('https://pay.example/paynet/pay/');
      expect((await fetch(`${elsewhere()}/paynet/sandbox/issuer/acs/page.css`)).status).toBe(404);
      const refused = await formRequest(gateway, 'sale-form', { server_callback_url: 'http://0.0.0.1/' }, asked);
      expect(refused.text).toContain('local or private');
      expect(refused.text).not.toContain('--callback-hosts');
      const path = `/api/v2/payout/${id}`;
      const statuses = ['https://pay.example/paynet', `${elsewhere()}/paynet`].map(async (base) => {
        const fields = { client_orderid: newOrderId(), amount: '1.00', currency: 'USD', credit_card_number: CARD };
        const signer = { login: there.login, key: there.key, method: 'HMAC-SHA1', now: gateway.clock.now() } as const;
        const headers = { authorization: oauthHeader(base + path, fields, signer) };
        return (await there.post(path, fields, { headers })).status;
      });
      expect(await Promise.all(statuses)).toEqual([200, 400]);
    });
  },
);
