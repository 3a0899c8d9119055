// Our own method page, for cards whose issuer has none, and the end of every method page. All of them stand in a hidden
// frame of the merchant's page: they hold nothing of the order, and any page may show them.

import type { MethodReturn } from '../../processing/three-d-secure/payer-authentication.ts';
import { type PageContext, page } from '../checkout/layout.ts';
import { type Html, html } from '../design/html.ts';
import type { WebReply } from '../route.ts';
import { factInputs, hiddenInputs } from './pages.ts';

const ANY_PAGE = ['*'];

/** The browser describes itself to `action`; `data` goes along as it was posted here. */
export function methodPage(
  context: PageContext,
  { data, action }: { readonly data: string; readonly action: string },
): WebReply {
  const { say, basePath } = context;
  const body = html`<h1>${say('askingTitle')}</h1>
<form method="post" action="${basePath}/3ds/${action}" data-tell-browser>
${hiddenInputs({ threeDSMethodData: data })}
${factInputs()}
${goOn(context)}
</form>`;
  return page(context, { title: say('askingTitle'), body, frameAncestors: ANY_PAGE });
}

/** Reports that the method page is done, to the URL that was posted to it. */
export function methodReturnPage(context: PageContext, { url, data }: MethodReturn): WebReply {
  const { say } = context;
  const body = html`<h1>${say('askingTitle')}</h1>
<form method="post" action="${url}" data-hand-over>
${hiddenInputs({ threeDSMethodData: data })}
${goOn(context)}
</form>`;
  const issuer = { url, isFramed: false };
  return page(context, { title: say('askingTitle'), body, issuer, frameAncestors: ANY_PAGE });
}

function goOn({ say }: PageContext): Html {
  return html`<button type="submit">${say('continue')}</button>`;
}

/** Tells the page around the hidden frame that the method page is done. */
export function methodDonePage(context: PageContext): WebReply {
  const { say } = context;
  const body = html`<h1 data-method-done>${say('stepDone')}</h1>`;
  return page(context, { title: say('stepDone'), body, frameAncestors: ANY_PAGE });
}
