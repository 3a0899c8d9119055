// A secret that is shown this once, with a button that copies it where scripts run.

import { type Html, html, type Piece } from '../../web/design/html.ts';

export function shownOnce(label: string, secret: string, next: Piece): Html {
  return html`<div class="notice good once" role="status"><p><strong>${label}</strong></p>
<p class="secret"><code id="secret">${secret}</code>
<button class="quiet small" type="button" data-copy="secret" hidden>Copy</button></p>
<p>It is shown this once and cannot be read again: keep it where only the shop's server can read it. ${next}</p></div>`;
}
