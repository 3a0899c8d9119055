// Unsigned forms, pure: which endpoints take them, and where they may send payers and callbacks. Anybody can ask for
// one, so nobody but the merchant says where the outcome of such an order goes.

import type { EndpointSettings } from './endpoint-settings.ts';

/** Unless an operator has said otherwise, only a sandbox takes forms that nobody signed. */
export function takesUnsignedForms({
  signedForms,
  sandbox,
}: Pick<EndpointSettings, 'signedForms' | 'sandbox'>): boolean {
  return !(signedForms ?? !sandbox);
}

/**
 * Whether an unsigned order may send somebody there: to a registered address, or to one below it. While none is
 * registered a sandbox goes anywhere, and all others go nowhere.
 */
export function mayGoTo(text: string, endpoint: Pick<EndpointSettings, 'formAddresses' | 'sandbox'>): boolean {
  const { formAddresses, sandbox } = endpoint;
  if (formAddresses.length === 0) return sandbox;
  const { origin, pathname } = new URL(text);
  return formAddresses.some((address) => {
    const registered = new URL(address);
    const below = registered.pathname.endsWith('/') ? registered.pathname : `${registered.pathname}/`;
    return origin === registered.origin && (pathname === registered.pathname || pathname.startsWith(below));
  });
}
