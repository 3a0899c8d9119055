// Endpoint groups: one id for several endpoints, of which the currency picks one.

import { expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';

describeGateway('an endpoint group', {}, (gateway) => {
  const { demo } = gateway;

  it.each([
    ['USD', 200, '101'],
    ['JPY', 200, '104'],
    ['USD', 'group/200', '101'],
    ['JPY', 'group/200', '104'],
  ])('takes a sale in %s at %s to endpoint %s', async (currency, endpoint, chosen) => {
    const reply = await demo.saleUntilFinal({ currency }, { endpoint });
    expect(reply).toMatchObject({ status: 'approved', 'end-point-id': chosen, currency });
  });

  it('is signed for by the id that stands in the path', async () => {
    const { status, body } = await demo.sale({}, { endpoint: 200, signs: { endpointId: '101' } });
    expect(status).toBe(400);
    expect(body['error-code']).toBe('20');
    expect(body['expected-string']).toMatch(/^200/);
  });

  it('refuses a currency none of its endpoints has, and says so', async () => {
    const { status, body } = await demo.sale({ currency: 'GBP' }, { endpoint: 200 });
    expect(status).toBe(400);
    expect(body['error-code']).toBe('11');
    expect(body['error-message']).toContain('GBP');
    expect(body.errors).toMatchObject([{ field: 'currency' }]);
  });

  it('passes over endpoints that take no new orders', async () => {
    await gateway.addEndpoint({ endpointId: 301, currency: 'CHF', enabled: false });
    await gateway.addEndpoint({ endpointId: 302, currency: 'CHF' });
    await gateway.addGroup({ groupId: 300, endpointIds: [301, 302] });
    const reply = await demo.saleUntilFinal({ currency: 'CHF' }, { endpoint: 300 });
    expect(reply).toMatchObject({ status: 'approved', 'end-point-id': '302' });
  });

  it.each(['group/101', 'group/999', 'group/0', 'group/'])('is not found at %s', async (endpoint) => {
    const { status, body } = await demo.sale({}, { endpoint });
    expect(status).toBe(endpoint === 'group/' ? 404 : 400);
    expect(body['error-code']).toBe(endpoint === 'group/' ? '18' : '10');
  });

  it('leads a 3-D Secure endpoint to what that endpoint answers', async () => {
    const { status, body } = await demo.sale({ currency: 'EUR' }, { endpoint: 200 });
    expect({ status, type: body.type, endpoint: body['end-point-id'] }).toEqual({
      ...{ status: 200, type: 'async-response', endpoint: '102' },
    });
  });
});
