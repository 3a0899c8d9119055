// 3-D Secure: the browser sends its facts while the issuer examines it in a hidden frame, and goes on to the issuer's
// page.

import { showBrowser } from './browser-facts.ts';

/** This message may reach any page around the hidden frame: it says that a step has ended, but not how it ended. */
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
