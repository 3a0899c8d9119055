import { describe, expect, it } from 'vitest';
import { heardIn } from './heard.ts';

const replied = (status: number, body: unknown) =>
  heardIn({ end: 'reply', status, text: typeof body === 'string' ? body : JSON.stringify(body) });

describe('what came back from the provider', () => {
  it.each([
    [200, { type: 'async-response', status: 'processing' }, 'replied'],
    [200, { type: 'status-response', status: 'approved' }, 'replied'],
    [400, { type: 'validation-error', 'error-code': '31' }, 'refused'],
    [404, { type: 'validation-error', 'error-code': '18' }, 'refused'],
    // The old flavour answers everything with 200.
    [200, { type: 'validation-error', 'error-code': '20' }, 'refused'],
    [200, { type: 'error', 'error-code': '500' }, 'unheard'],
    [500, { type: 'error', 'error-code': '503' }, 'unheard'],
    [500, { type: 'validation-error', 'error-code': '31' }, 'unheard'],
    [302, { type: 'async-response' }, 'unheard'],
    [200, {}, 'unheard'],
    [200, [], 'unheard'],
    [200, 'null', 'unheard'],
    [200, '<html>', 'unheard'],
    [200, '{"type":"async-response"', 'unheard'],
    [502, '<html>Bad gateway</html>', 'unheard'],
    [200, '', 'unheard'],
  ])('HTTP %d %j is %s', (status, body, word) => {
    expect(replied(status, body).word).toBe(word);
  });

  it('holds the texts of a reply alone', () => {
    expect(replied(200, { type: 'async-response', errors: [{ code: '1' }], n: 1 })).toEqual({
      word: 'replied',
      reply: { type: 'async-response' },
    });
  });

  it('says of a failure that was told that it is none of the line', () => {
    expect(replied(500, { type: 'error', 'error-code': '503', 'error-message': 'Later' })).toEqual({
      word: 'unheard',
      reason: 'the provider failed with error 503: Later',
      fault: undefined,
    });
    expect(replied(200, 'x')).toMatchObject({ fault: 'unreadable' });
  });

  it('shows no card number of a message, and no more than a sentence', () => {
    const message = `No card 4111111111111111 ${'x'.repeat(1000)}`;
    const heard = replied(400, { type: 'validation-error', 'error-code': '2', 'error-message': message });
    expect(JSON.stringify(heard)).not.toContain('4111111111111111');
    expect(JSON.stringify(heard).length).toBeLessThan(400);
  });
});
