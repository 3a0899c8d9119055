import { describe, expect, it } from 'vitest';
import { Misread } from '../../domain/input-kinds.ts';
import { addressOfStripe, secretKeyKind, webhookSecretKind } from './settings.ts';

describe('the address of Stripe', () => {
  it.each([
    ['https://api.stripe.com', 'https://api.stripe.com'],
    ['https://api.stripe.com/', 'https://api.stripe.com'],
    ['https://stripe.inside.example:8443', 'https://stripe.inside.example:8443'],
    ['http://127.0.0.1:12111', 'http://127.0.0.1:12111'],
    ['http://localhost:12111/', 'http://localhost:12111'],
    ['http://[::1]:12111', 'http://[::1]:12111'],
  ])('%s is taken', (text, expected) => {
    expect(addressOfStripe.read(text, undefined)).toBe(expected);
  });

  it.each([
    'http://api.stripe.com',
    'http://10.0.0.1:12111',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'https://user:word@api.stripe.com',
    'https://api.stripe.com/v1',
    'https://api.stripe.com/?a=b',
    'ftp://127.0.0.1',
    'api.stripe.com',
    '',
    7,
  ])('%s is refused', (text) => {
    expect(addressOfStripe.read(text, undefined)).toBeInstanceOf(Misread);
  });
});

describe('keys', () => {
  it.each(['sk_test_abc123', 'sk_live_abc123', 'rk_test_abc123', ' sk_test_abc123 '])('%s is taken', (text) => {
    expect(secretKeyKind.read(text, undefined)).toBe(text.trim());
  });

  it.each(['pk_test_51Habcdefgh', 'sk_test_ab', 'sk_testabcdefghij', 'whsec_abcdefghijk', 'sk_test_abc\ndef', '', 7])(
    '%s is refused and not repeated',
    (text) => {
      const read = secretKeyKind.read(text, undefined);
      expect(read).toBeInstanceOf(Misread);
      expect((read as Misread).says).not.toContain(String(text) || 'nothing');
    },
  );

  it('a publishable key is called by its name', () => {
    expect(secretKeyKind.read('pk_test_51Habc', undefined)).toMatchObject({
      says: expect.stringContaining('publishable'),
    });
  });

  it('a signing secret', () => {
    expect(webhookSecretKind.read('whsec_abcdefghijk', undefined)).toBe('whsec_abcdefghijk');
    expect(webhookSecretKind.read('sk_test_abcdefghi', undefined)).toBeInstanceOf(Misread);
  });
});
