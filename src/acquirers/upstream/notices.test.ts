import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { readNotice } from './notices.ts';

const KEY = 'a control key';
const secret = new Secret(KEY);

function callback(changes: Record<string, string> = {}, signs: Record<string, string> = {}) {
  const fields = { status: 'approved', orderid: '42', client_orderid: '7-1', type: 'sale', 'serial-number': 's' };
  const said = { ...fields, ...changes };
  const { status, orderid, client_orderid } = { ...said, ...signs };
  const control = createHash('sha1').update(`${status}${orderid}${client_orderid}${KEY}`).digest('hex');
  return { method: 'GET', query: new URLSearchParams({ control, ...said }) };
}

describe('a callback of the provider', () => {
  it('is taken, and names the instruction to ask about', () => {
    expect(readNotice(callback(), secret)).toMatchObject({ status: 200, reference: '7-1', noticeId: '42 s approved' });
    const upper = callback();
    upper.query.set('control', (upper.query.get('control') ?? '').toUpperCase());
    expect(readNotice(upper, secret)).toMatchObject({ status: 200 });
  });

  it('about a follow-up names that one by its comment', () => {
    expect(readNotice(callback({ type: 'capture', comment: '7-2' }), secret)).toMatchObject({
      reference: '7-2',
      clientOrderId: '7-1',
    });
    expect(readNotice(callback({ type: 'reversal', comment: '' }), secret)).toMatchObject({ reference: '7-1' });
    expect(readNotice(callback({ type: 'sale', comment: '7-2' }), secret)).toMatchObject({ reference: '7-1' });
    expect(readNotice(callback({ type: 'capture', comment: 'two words' }), secret)).toMatchObject({
      status: 200,
      reference: undefined,
    });
  });

  it.each([
    ['that was given back without our asking', { type: 'reversal' }, true],
    ['that we asked for', { type: 'reversal', comment: '7-2' }, undefined],
    ['that was not given back after all', { type: 'reversal', status: 'declined' }, undefined],
    ['that ended', { type: 'payout' }, undefined],
  ])('about what %s tells of a return or not', (_, changes, returned) => {
    expect(readNotice(callback(changes), secret).returned).toBe(returned);
  });

  it.each([
    ['another status', callback({}, { status: 'declined' })],
    ['another order', callback({}, { orderid: '43' })],
    ['another client order id', callback({}, { client_orderid: '7-2' })],
    ['no control', callback({ control: '' })],
    ['a control that is none', callback({ control: 'x'.repeat(40) })],
    ['a shorter control', callback({ control: 'ab' })],
    ['no status', callback({ status: '' })],
    ['nothing at all', { method: 'GET', query: new URLSearchParams() }],
  ])('with %s is refused', (_, notice) => {
    const { status, ...rest } = readNotice(notice, secret);
    expect(status).toBe(400);
    expect(rest).not.toHaveProperty('reference');
    expect(rest).not.toHaveProperty('clientOrderId');
  });

  it('under another key is refused, and so is another method', () => {
    expect(readNotice(callback(), new Secret('another'))).toMatchObject({ status: 400 });
    expect(readNotice({ ...callback(), method: 'POST' }, secret)).toMatchObject({ status: 405 });
  });
});
