// The files that the simulated issuer's pages load: one style sheet, for light and dark, and the script that submits a
// form without a click.

import type { PageReply } from './pages.ts';

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #eef1f5; --sheet: #ffffff; --text: #17202b; --quiet: #51606f; --line: #8593a1;
  --accent: #0b5a8a; --on-accent: #ffffff; --wrong: #a3161f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e141b; --sheet: #18212b; --text: #e8eef4; --quiet: #a9b7c4; --line: #75869a;
    --accent: #7cc4f2; --on-accent: #06202f; --wrong: #ff9a9a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main {
  width: 100%; max-width: 26rem; padding: 1.5rem; background: var(--sheet);
  border: 1px solid color-mix(in srgb, var(--line) 40%, transparent); border-radius: .75rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / .06), 0 8px 24px rgb(0 0 0 / .08);
}
header { display: flex; align-items: center; gap: .5rem; color: var(--quiet); font-size: .875rem; font-weight: 600; }
.mark { width: 1.25rem; height: 1.25rem; border-radius: .375rem; background: var(--accent); }
h1 { margin: 1rem 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
dl { margin: 0 0 1.25rem; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .375rem 0; border-bottom: 1px solid color-mix(in srgb, var(--line) 30%, transparent); }
dt { color: var(--quiet); }
dd { margin: 0; font-weight: 600; text-align: end; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input[type="password"] {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem;
}
input[aria-invalid="true"] { border-color: var(--wrong); }
button {
  width: 100%; min-height: 2.75rem; margin-top: .5rem; padding: .5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: .5rem;
}
button.second { color: var(--text); background: transparent; border-color: var(--line); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.about { margin: .5rem 0 .75rem; color: var(--quiet); font-size: .875rem; }
.wrong { margin: 0 0 .75rem; color: var(--wrong); font-weight: 600; }
code { font-size: 1em; }
@media (max-width: 24rem) {
  body { padding: 0; place-items: stretch; }
  main { max-width: none; border: 0; border-radius: 0; box-shadow: none; padding: .75rem 1rem; }
  h1 { margin: .5rem 0; font-size: 1.125rem; }
  dl { margin-bottom: .75rem; }
}
`.trimStart();

const SEND = `document.querySelector('form[data-send]')?.submit();\n`;

const NO_SNIFFING = { 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=300' };

export const pageFiles: Readonly<Record<string, PageReply>> = {
  '/acs/page.css': { status: 200, headers: { 'content-type': 'text/css; charset=utf-8', ...NO_SNIFFING }, body: STYLE },
  '/acs/send.js': {
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', ...NO_SNIFFING },
    body: SEND,
  },
};
