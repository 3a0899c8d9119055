// What an operator says about a Stripe account, and how it is read. A key that is refused is never repeated.

import { addressKind } from '../../domain/address/public-address.ts';
import { type InputKind, Misread, readBy } from '../../domain/input-kinds.ts';

export const STRIPE_ADDRESS = 'https://api.stripe.com';

/** A text of this form that must not be shown, not even when it is wrong. */
function unseen(form: RegExp, what: string, misread: (text: string) => string | undefined): InputKind<string> {
  return {
    schema: { type: 'string', pattern: form.source },
    what,
    spelling: 'text',
    read: (value) => {
      const text = typeof value === 'string' ? value.trim() : '';
      return form.test(text) ? text : new Misread(misread(text) ?? `${what} is needed`);
    },
  };
}

export const secretKeyKind = unseen(
  /^(sk|rk)_(test|live)_\w{3,250}$/,
  'a secret key (sk_test_…, sk_live_…) or a restricted key (rk_…)',
  (text) => (text.startsWith('pk_') ? 'this is a publishable key: the secret key is needed' : undefined),
);

export const webhookSecretKind = unseen(/^whsec_[\w+/=]{8,250}$/, 'a signing secret (whsec_…)', () => undefined);

/** Card numbers leave this machine encrypted only. */
export const addressOfStripe = readBy(
  'an address such as https://api.stripe.com (http only for this machine)',
  (text) => {
    if (!URL.canParse(text)) return undefined;
    const { protocol, hostname, username, password, origin, pathname, search, hash } = new URL(text);
    if (username !== '' || password !== '' || search !== '' || hash !== '' || pathname !== '/') return undefined;
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const isHere = host === 'localhost' || addressKind(host) === 'loopback';
    return protocol === 'https:' || (protocol === 'http:' && isHere) ? origin : undefined;
  },
);
