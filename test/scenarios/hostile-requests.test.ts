// Requests made to do harm, from people who hold no key: each is answered, costs little, leaves little behind, and the
// gateway goes on.

import { afterEach, expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';

const LEGACY = 103;
/** Its last character is a pair of surrogates, which a cut at 64 or 40 characters goes through. */
const halved = (length: number) => `${'a'.repeat(length)}😀`;

describeGateway('a hostile request', {}, (gateway) => {
  const { demo } = gateway;
  afterEach(async () => {
    expect((await demo.sale()).status).toBe(200);
  });

  it('that has a name cut within a character gets a reply in the old flavour too', async () => {
    const name = encodeURIComponent(halved(63));
    const reply = await demo.post(
      `/api/v2/sale/${LEGACY}`,
      {},
      { rawBody: `${name}=1&${name}=2`, headers: { accept: '*/*' } },
    );
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/type=validation-error\n[\s\S]*occurs\+more\+than\+once/);
    const oauth = encodeURIComponent(`oauth_${halved(33)}`);
    const headers = { accept: '*/*', authorization: `OAuth ${oauth}="1", ${oauth}="2"` };
    const signed = await demo.post(`/api/v2/payout/${LEGACY}`, {}, { rawBody: 'a=1', headers });
    expect(signed.text).toMatch(/type=validation-error\n[\s\S]*occurs\+more\+than\+once/);
  });

  it('that repeats a name hundreds of times is told so fifty times', async () => {
    const rawBody = `a=${'%41'.repeat(40_000)}${'&a='.repeat(399)}`;
    const { status, body } = await demo.post('/api/v2/sale/101', {}, { rawBody });
    expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '4' });
    expect(body.errors).toHaveLength(51);
  });

  it('with long and many unknown names leaves a short line in the journal', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}${'x'.repeat(index < 9 ? 13_000 : 10)}=1`);
    const { body } = await demo.post('/api/v2/sale/101', {}, { rawBody: `${names.join('&')}&city=Springfield` });
    const { request } = await gateway.journalLine(body);
    expect(Object.keys(request as object)).toHaveLength(21);
    expect(JSON.stringify(request).length).toBeLessThan(3_000);
    expect(request).toMatchObject({ city: 'Springfield' });
  });
});
