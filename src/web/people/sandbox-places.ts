// What a person who has signed in to a sandbox finds beside their account.

import { type Html, html } from '../design/html.ts';

export type SandboxPlaces = {
  /** The page that says what runs here. */
  readonly landing: () => string;
  readonly shop: () => string;
  readonly openApi: () => string;
  /** Undefined where it is not served. */
  readonly documentation: () => string | undefined;
};

export function placesPanel({ landing, shop, openApi, documentation }: SandboxPlaces): Html {
  return html`<section class="panel" aria-labelledby="places-title"><h2 id="places-title">What there is</h2>
<ul class="rows">
<li><div><a href="/console">Console</a><span>orders, merchants, keys, books: what goes on here</span></div></li>
<li><div><a href="${landing()}">What runs here</a><span>the demo merchant, test cards, a first payment to paste</span></div></li>
<li><div><a href="${shop()}">Demo shop</a><span>buy something, and see every message of it</span></div></li>
${documentation() && html`<li><div><a href="${documentation()}">Documentation</a><span>guides, every operation, every error</span></div></li>`}
<li><div><a href="${openApi()}">OpenAPI document</a><span>the interface for merchants</span></div></li>
<li><div><code>npx tender --help</code><span>whatever the console does is a command, too</span></div></li>
</ul></section>`;
}
