// The compiler is the one that is tested here: every line below `@ts-expect-error` must be refused by it.

import { describe, expect, it } from 'vitest';
import { asyncResponse } from './acknowledgement.ts';
import { form } from './form.ts';
import { C1, defineOperation } from './operation.ts';
import { bodyOf, type Reply, reply, response, whenKnown } from './response.ts';
import type { statusResponse } from './status-reply.ts';

const paid = response('PaidResponse', 'paid', {
  status: 'How it went.',
  code: 'Why.',
  ...whenKnown({ html: 'A page.' }),
});

describe('a reply', () => {
  it('holds what its response documents, and the wire leaves out what is not known', () => {
    const known = reply(paid, { status: 'approved', code: undefined, html: '' });
    expect(bodyOf(known, paid, 'sn-1')).toEqual({ type: 'paid', 'serial-number': 'sn-1', status: 'approved' });
    const earlier = reply(paid, { 'serial-number': 'sn-0', status: 'declined', code: '116', html: '<p>' });
    expect(bodyOf(earlier, paid, 'sn-1')).toEqual({ type: 'paid', ...earlier });
  });

  it('does not compile otherwise', () => {
    // @ts-expect-error: no response documents it
    reply(paid, { status: 'approved', code: '', 'bank-name': 'ACME' });
    const more = { 'bank-name': 'ACME' };
    // @ts-expect-error: nor does it when it comes with other fields
    reply(paid, { status: 'approved', code: '', ...more });
    const either = paid.name === 'PaidResponse' ? { html: '<p>' } : more;
    // @ts-expect-error: nor when it comes with them only sometimes
    reply(paid, { status: 'approved', code: '', ...either });
    // @ts-expect-error: a documented field was forgotten
    reply(paid, { status: 'approved' });
    // @ts-expect-error: values are texts
    reply(paid, { status: 'approved', code: 116 });
    // @ts-expect-error: only `reply` makes replies
    const unchecked: Reply<typeof paid> = { status: 'approved', code: '' };
    // @ts-expect-error: STATUS says nothing of the issuer's telephone number
    const status: keyof typeof statusResponse.fields = 'bank-phone';
    expect([unchecked, status]).toHaveLength(2);
  });

  it('is the one of its own operation, or that does not compile either', () => {
    const operation = { name: 'X', path: '/x', summary: '', schema: 'X', auth: C1, request: form({}), response: paid };
    const answer = reply(paid, { status: 'approved', code: undefined });
    const foreign = reply(asyncResponse, {
      ...{ 'merchant-order-id': 'a', 'paynet-order-id': '1', 'end-point-id': '101', status: 'processing' },
    });
    defineOperation({ ...operation, handle: async () => answer });
    // @ts-expect-error: another response's reply
    defineOperation({ ...operation, handle: async () => foreign });
    // @ts-expect-error: something that was never checked
    defineOperation({ ...operation, handle: async () => ({ status: 'approved', code: '', more: '' }) });
    expect(foreign.status).toBe('processing');
  });
});
