// The script and the style of the pages, from our own address: nothing of them is inline, and nothing comes from elsewhere.

/** Told to the page around a hidden frame, whoever's it is; it says that a step has ended, and nothing of its result. */
export const METHOD_DONE = 'three-d-secure-method-done';

export const SCRIPT = `'use strict';
(() => {
  const handOver = document.getElementById('hand-over');
  if (handOver) return handOver.submit();

  if (document.getElementById('method-done')) {
    if (window.parent !== window) window.parent.postMessage('${METHOD_DONE}', '*');
    return;
  }

  const goOn = document.getElementById('continue');
  if (!goOn) return;
  const tell = (name, value) => {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = String(value);
    goOn.append(input);
  };
  tell('javascriptEnabled', true);
  tell('javaEnabled', false);
  tell('language', navigator.language);
  tell('colorDepth', screen.colorDepth);
  tell('screenHeight', screen.height);
  tell('screenWidth', screen.width);
  tell('timeZone', new Date().getTimezoneOffset());

  let isSent = false;
  const send = () => {
    if (isSent) return;
    isSent = true;
    goOn.submit();
  };
  goOn.addEventListener('submit', () => { isSent = true; });
  const method = document.getElementById('method');
  if (!method) return send();
  const frame = document.querySelector('iframe[name=method]');
  window.addEventListener('message', (event) => {
    if (event.source === frame.contentWindow && event.data === '${METHOD_DONE}') send();
  });
  setTimeout(send, Number(goOn.dataset.wait));
  method.submit();
})();
`;

export const STYLE = `:root { color-scheme: light dark; --ink: #1d2433; --quiet: #5a6478; --paper: #ffffff; --ground: #f3f5f9; --accent: #1f5eff; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f7; --quiet: #aab3c5; --paper: #1a2030; --ground: #10141d; --accent: #7aa2ff; --on-accent: #0b1020; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(100% - 2rem, 26rem); padding: 2rem; border-radius: 1rem; background: var(--paper); text-align: center; box-shadow: 0 1px 3px rgb(0 0 0 / 0.12), 0 8px 24px rgb(0 0 0 / 0.08); }
h1 { margin: 0 0 0.5rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: 0 0 1.25rem; color: var(--quiet); }
button { min-height: 2.75rem; width: 100%; padding: 0 1.5rem; border: 0; border-radius: 0.625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
iframe { display: none; }
.spinner { width: 2.5rem; height: 2.5rem; margin: 0 auto 1.25rem; border: 3px solid color-mix(in srgb, var(--accent) 25%, transparent); border-top-color: var(--accent); border-radius: 50%; animation: turn 0.9s linear infinite; }
@keyframes turn { to { rotate: 1turn; } }
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 6s; } }
`;
