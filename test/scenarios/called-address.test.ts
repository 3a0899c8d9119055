// Where a request came to: OAuth signatures cover the URL that the client called, which a proxy, another name of the
// machine or a careless join of two paths may make differ from the public one.

import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, describeGateway, type Fields, newOrderId, oauthHeader, type Reply } from '../harness.ts';

const PATH = '/api/v2/payout/101';
const CARD = '4111111111111111';

type Call = { readonly signs: string; readonly path?: string; readonly headers?: Fields };

describeGateway('a request', {}, (gateway) => {
  const { demo } = gateway;
  let merchant: Client;

  beforeAll(async () => {
    merchant = await gateway.addMerchant({ merchantId: 9, login: 'plain' }, 'a-key-of-its-own');
    await gateway.addEndpoint({ endpointId: 901, merchantId: 9, sandbox: false, creditLimit: 1_000_000n });
    await gateway.changeEndpoint(101, { creditLimit: 1_000_000n });
  });

  /** A payout whose signature covers the URL `signs`. */
  function payout({ signs, path = PATH, headers = {} }: Call, client: Client = demo): Promise<Reply> {
    const fields = { client_orderid: newOrderId(), amount: '1.00', currency: 'USD', credit_card_number: CARD };
    const signer = { login: client.login, key: client.key, method: 'HMAC-SHA1', now: gateway.clock.now() } as const;
    return client.post(path, fields, { headers: { authorization: oauthHeader(signs, fields, signer), ...headers } });
  }

  const verdict = ({ status, body }: Reply) => (status === 200 ? 'taken' : body['error-code']);
  const port = () => new URL(gateway.origin).port;
  const publicBase = () => `http://localhost:${port()}/paynet`;

  describe('signed with OAuth, in a sandbox', () => {
    it('may cover the public address, or the scheme and host that were called', async () => {
      expect(verdict(await payout({ signs: `${publicBase()}${PATH}` }))).toBe('taken');
      expect(verdict(await payout({ signs: `http://127.0.0.1:${port()}/paynet${PATH}` }))).toBe('taken');
      const shop = { signs: `http://gateway.shop.example/paynet${PATH}`, headers: { host: 'Gateway.shop.example:80' } };
      expect(verdict(await payout(shop))).toBe('taken');
    });

    it('covers no other address, and hears which text the public one gives', async () => {
      for (const signs of [
        `http://other.example/paynet${PATH}`,
        `https://127.0.0.1:${port()}/paynet${PATH}`,
        `http://127.0.0.1:${port()}${PATH}`,
        `http://127.0.0.1:${port()}/paynet/api/v4/payout/101`,
      ]) {
        const reply = await payout({ signs });
        expect(verdict(reply), signs).toBe('20');
        const expected = encodeURIComponent(`${publicBase()}${PATH}`);
        expect(reply.body['expected-string']).toMatch(new RegExp(`^POST&${expected}&`));
      }
    });

    it.each(['', 'a b', 'gateway.example/other', 'ann@gateway.example', '[::1'])(
      'is taken by its public address with the Host %j',
      async (host) => {
        const reply = await payout({ signs: `${publicBase()}${PATH}`, headers: { host } });
        expect(verdict(reply), reply.text).toBe('taken');
      },
    );

    it('does not believe a stranger who names another scheme', async () => {
      const headers = { host: 'gateway.shop.example', 'x-forwarded-proto': 'https' };
      expect(verdict(await payout({ signs: `https://gateway.shop.example/paynet${PATH}`, headers }))).toBe('20');
    });
  });

  it('signed with OAuth, outside sandboxes, covers the public address alone', async () => {
    const path = '/api/v2/payout/901';
    expect(verdict(await payout({ signs: `${publicBase()}${path}`, path }, merchant))).toBe('taken');
    const own = await payout({ signs: `http://127.0.0.1:${port()}/paynet${path}`, path }, merchant);
    expect(verdict(own)).toBe('20');
    expect(own.body).not.toHaveProperty('expected-string');
  });

  it('signed with OAuth, to a group that is a sandbox only in part, covers the public address alone', async () => {
    await gateway.addEndpoint({ endpointId: 902, merchantId: 9, currency: 'EUR' });
    await gateway.addGroup({ groupId: 990, merchantId: 9, endpointIds: [902, 901] });
    const path = '/api/v2/payout/990';
    const own = await payout({ signs: `http://127.0.0.1:${port()}/paynet${path}`, path }, merchant);
    expect(verdict(own)).toBe('20');
    expect(own.body).not.toHaveProperty('expected-string');
    expect(verdict(await payout({ signs: `${publicBase()}${path}`, path }, merchant))).toBe('taken');
  });

  describe('whose path has slashes too many', () => {
    const paths = ['/api/v2/sale/101/', '//api/v2/sale/101', '/api//v2///sale/101', '//api/v2/sale//101//'];

    it.each(paths)('%s is taken as without them', async (path) => {
      const reply = await demo.post(path, demo.signedSale());
      expect(reply.body, reply.text).toMatchObject({ type: 'async-response', 'end-point-id': '101' });
    });

    it.each(['/api/v2/sale//group//200/', '/api/v2/sale/group/200/'])('%s finds its group', async (path) => {
      const reply = await demo.post(path, demo.signedSale({}, { endpoint: 200 }));
      expect(reply.body, reply.text).toMatchObject({ type: 'async-response', 'end-point-id': '101' });
    });

    it.each(['/api/v2/payout/101/', '//api/v2/payout/101'])('%s may be signed with them or without', async (path) => {
      expect(verdict(await payout({ signs: `${publicBase()}${PATH}`, path }))).toBe('taken');
      expect(verdict(await payout({ signs: `${publicBase()}${path}`, path }))).toBe('taken');
      expect(verdict(await payout({ signs: `http://127.0.0.1:${port()}/paynet${path}`, path }))).toBe('taken');
      expect(verdict(await payout({ signs: `${publicBase()}${PATH}//`, path }))).toBe('20');
    });

    it.each(['/api/v2/payout/901/', '//api/v2/payout/901'])('%s may be so outside sandboxes too', async (path) => {
      expect(verdict(await payout({ signs: `${publicBase()}${path}`, path }, merchant))).toBe('taken');
    });

    it.each(['/api/v2/sale/', '/api/v2/sale', '/api/v2/sale/group', '/api/v2/sale/group/', '/api/v2/sale/101/extra/'])(
      '%s is no operation with or without them',
      async (path) => {
        const reply = await demo.post(path, demo.signedSale());
        expect({ status: reply.status, code: reply.body['error-code'] }).toEqual({ status: 404, code: '18' });
      },
    );
  });

  it.each(['//metrics', '/metrics/', '/healthz/', '//readyz'])(
    'for %s finds no page: a proxy keeps pages from strangers by the one path they have',
    async (path) => {
      expect((await fetch(`${gateway.origin}${path}`)).status).toBe(404);
    },
  );

  it('signed with OAuth, through a known proxy, may cover the scheme that the proxy was called with', async () => {
    await gateway.restart({ trustedProxies: ['127.0.0.1'] });
    const host = 'gateway.shop.example';
    const secure = { signs: `https://${host}/paynet${PATH}`, headers: { host, 'x-forwarded-proto': 'https' } };
    expect(verdict(await payout(secure))).toBe('taken');
    expect(verdict(await payout({ ...secure, signs: `http://${host}/paynet${PATH}` }))).toBe('20');
    expect(verdict(await payout({ signs: `http://${host}/paynet${PATH}`, headers: { host } }))).toBe('taken');
  });
});
