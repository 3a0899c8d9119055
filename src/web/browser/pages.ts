// What the hosted pages do where scripts run. Every page works without scripts: they help while the payer types, watch
// for the bank's answer, and go to the issuer and back to the merchant without a click. They keep nothing, and send
// nothing but the page's own forms.

import { offerWayBack } from './back.ts';
import { showBrowser } from './browser-facts.ts';
import { watchCardForm } from './card-form.ts';
import { reportMethodDone, tellBrowser } from './issuer.ts';
import { showLocalTimes } from './local-times.ts';
import { offerPrint } from './print.ts';
import { returnByItself } from './return.ts';
import { watchOutcome } from './wait.ts';

// A page that comes back from the browser's memory may be out of date, so it is loaded again.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

showLocalTimes();
document.querySelector<HTMLElement>('[data-focus]')?.focus();
for (const form of document.querySelectorAll<HTMLFormElement>('[data-card-form]')) {
  showBrowser(form);
  watchCardForm(form);
}
for (const section of document.querySelectorAll<HTMLElement>('[data-watch]')) void watchOutcome(section);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-tell-browser]')) tellBrowser(form);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-hand-over]')) form.submit();
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-go-on]')) location.replace(link.href);
if (document.querySelector('[data-method-done]')) reportMethodDone();
for (const form of document.querySelectorAll<HTMLFormElement>('[data-return]')) returnByItself(form);
for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) offerPrint(button);
for (const button of document.querySelectorAll<HTMLElement>('[data-back]')) offerWayBack(button);
