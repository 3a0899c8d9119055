// 3-D Secure: the browser tells what it is while the issuer looks at it in a hidden frame, and goes to the issuer's
// page.

import { showBrowser } from './browser-facts.ts';

/**
 * Told to the page around the hidden frame, whoever's it is; it says that a step has ended, and nothing of its result.
 */
const METHOD_DONE = 'three-d-secure-method-done';

export function tellBrowser(form: HTMLFormElement): void {
  showBrowser(form);
  let isSent = false;
  form.addEventListener('submit', () => {
    isSent = true;
  });
  const send = () => {
    if (!isSent) form.requestSubmit();
  };
  const method = document.querySelector<HTMLFormElement>('[data-method]');
  if (!method) {
    send();
    return;
  }
  const frame = document.querySelector<HTMLIFrameElement>('iframe[name=method]');
  window.addEventListener('message', ({ source, data }) => {
    if (source === frame?.contentWindow && data === METHOD_DONE) send();
  });
  setTimeout(send, Number(form.dataset.wait));
  method.submit();
}

export function reportMethodDone(): void {
  if (window.parent !== window) window.parent.postMessage(METHOD_DONE, '*');
}
