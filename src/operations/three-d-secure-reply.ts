// What a status reply says about the step an order's payer has to take: where to send the payer, to 3-D Secure or to an
// address of the bank, and what to run and upload where the merchant runs 3-D Secure itself.

import type { Status } from '../processing/gateway.ts';
import type { NamesInAny } from './response.ts';

/** Every field that is sent, and no other. */
export const payerDocumented: Readonly<Record<NamesInAny<ReturnType<typeof payerFields>>, string>> = {
  html: 'A page that submits itself: show it to the payer as it is, or use `redirect-to`.',
  'redirect-to': 'Where to send the payer now, to prove who they are or to go on to a page of the bank.',
  'tds-status': 'The next 3-D Secure step when the merchant runs it: `method-url`, `challenge` or `pareq`.',
  'tds-method-url-frame-3ds-method-url': "The page for a hidden frame: the issuer's, or ours where it has none.",
  'tds-method-url-frame-3ds-server-trans-id': 'The 3-D Secure transaction; give it back in upload-method-url-result.',
  'tds-method-url-frame-3ds-method-data': 'The value of `threeDSMethodData` to post into the frame.',
  'tds-acs-url': "The issuer's page: post `tds-creq`, or `tds-pareq` and `tds-md`, to it.",
  'tds-creq': 'The value of `creq` to post to the issuer.',
  'tds-pareq': 'The value of `PaReq` to post to the issuer (3-D Secure 1).',
  'tds-md': 'The value of `MD` to post to the issuer (3-D Secure 1).',
};

type Payer = NonNullable<Status['payer']>;

export function payerFields({ address, step }: Payer) {
  const way = { html: selfSubmitting(address), 'redirect-to': address };
  return step === undefined ? way : { ...way, 'tds-status': step.kind, ...stepFields(step) };
}

function stepFields(step: NonNullable<Payer['step']>) {
  switch (step.kind) {
    case 'method-url':
      return {
        'tds-method-url-frame-3ds-method-url': step.method.url,
        'tds-method-url-frame-3ds-server-trans-id': step.transactionId,
        'tds-method-url-frame-3ds-method-data': step.method.data,
      };
    case 'challenge':
      return { 'tds-acs-url': step.acsUrl, 'tds-creq': step.creq };
    case 'pareq':
      return { 'tds-acs-url': step.acsUrl, 'tds-pareq': step.pareq, 'tds-md': step.merchantData };
  }
}

/** HTML for the merchant's own page: it sends the browser to our page by itself, or by a button without scripts. */
function selfSubmitting(address: string): string {
  const action = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return (
    `<!doctype html><html><body><form method="post" action="${action}"><noscript><button type="submit">Continue</button></noscript>` +
    '</form><script>document.forms[0].submit()</script></body></html>'
  );
}
