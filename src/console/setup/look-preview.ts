// A payment page in small, light and dark, whose colours are variables: a script sets them while they are chosen.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html } from '../../web/design/html.ts';

export function lookPreview(look: AnswerTo<'showLook'>, merchantName: string): Html {
  const address = `/console/endpoints/${look.endpointId}/look/preview.json`;
  return html`<div class="look-previews" data-look data-address="${address}" data-merchant="${merchantName}">
${(['light', 'dark'] as const).map((which) => onePreview(which, look, merchantName))}</div>
<p class="hint">Light and dark pages; payers see the one that their device asks for.</p>`;
}

function onePreview(which: 'light' | 'dark', look: AnswerTo<'showLook'>, merchantName: string): Html {
  const { endpointId, logo, texts } = look;
  const name = look.name ?? merchantName;
  const picture =
    logo &&
    html`<img class="logo" src="/console/endpoints/${endpointId}/look/logo?${logo.digest}" alt="${name}" height="32">`;
  return html`<div class="look-preview ${which}" role="img" aria-label="A ${which} payment page of ${name}">
<p class="preview-brand"><canvas class="preview-logo" height="32" width="1" hidden></canvas>${picture}<strong data-part="name"${logo && html` hidden`}>${name}</strong></p>
<div class="preview-panel">
<p data-part="intro">${texts?.intro?.all}</p>
<span class="preview-label">Card number</span><span class="preview-input">4111 1111 1111 1111</span>
<span class="preview-button">Pay 10.00 USD</span>
<span class="preview-link">Back to the shop</span>
</div>
<p class="preview-help" data-part="help">${texts?.help?.all}</p></div>`;
}
