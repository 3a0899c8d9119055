// What people's pages do where scripts run: passkeys, which need one, and the one-time code behind the # of a link. All
// else on these pages works without scripts.

import { offerNewPasskey, offerPasskeySignIn } from './passkeys.ts';

// A page that comes back from the browser's memory may be out of date, so it is loaded again.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

document.querySelector<HTMLElement>('[data-focus]')?.focus();

const code = location.hash.slice(1);
const first = document.querySelector<HTMLInputElement>('[data-one-time-code] input[name="code"]');
if (first && /^[0-9a-f-]{40,60}$/.test(code)) {
  first.value = code;
  // It must not stay in the history.
  history.replaceState(null, '', location.pathname);
}

if ('PublicKeyCredential' in window && window.isSecureContext) {
  for (const place of document.querySelectorAll<HTMLElement>('[data-passkey-sign-in]')) offerPasskeySignIn(place);
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-passkey-add]')) offerNewPasskey(form);
}
