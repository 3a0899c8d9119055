// What a status reply says about the step of 3-D Secure an order waits for: where to send the payer in the simple flow, and what to
// run and upload in the one the merchant runs itself.

import type { Status } from '../processing/gateway.ts';

export function payerFields(payer: Status['payer']): Record<string, string | undefined> {
  if (!payer) return {};
  const { address, step } = payer;
  return { html: selfSubmitting(address), 'redirect-to': address, 'tds-status': step.kind, ...stepFields(step) };
}

function stepFields(step: NonNullable<Status['payer']>['step']): Record<string, string | undefined> {
  switch (step.kind) {
    case 'method-url':
      return {
        'tds-method-url-frame-3ds-method-url': step.method?.url,
        'tds-method-url-frame-3ds-server-trans-id': step.transactionId,
        'tds-method-url-frame-3ds-method-data': step.method?.data,
      };
    case 'challenge':
      return { 'tds-acs-url': step.acsUrl, 'tds-creq': step.creq };
    case 'pareq':
      return { 'tds-acs-url': step.acsUrl, 'tds-pareq': step.pareq, 'tds-md': step.merchantData };
  }
}

/** For the merchant's own page: it sends the browser to ours by itself, or with a button where no script runs. */
function selfSubmitting(address: string): string {
  const action = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return (
    `<!doctype html><html><body><form method="post" action="${action}"><noscript><button type="submit">Continue</button></noscript>` +
    '</form><script>document.forms[0].submit()</script></body></html>'
  );
}
