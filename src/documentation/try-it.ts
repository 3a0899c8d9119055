// "Try it" on the page of an operation: a form of its fields. The script of the pages shows it where a sandbox serves
// them, signs in the browser with the demo merchant's keys and sends.

import { canonicalName, type Field } from '../operations/form.ts';
import type { Operation } from '../operations/operation.ts';
import { attributes, type Html, html } from '../web/design/html.ts';

/** Values that make a sandbox approve; the script puts the moment in the place of {now}. */
const VALUES: Readonly<Record<string, string>> = {
  client_orderid: 'try-{now}',
  amount: '10.42',
  currency: 'USD',
  order_desc: 'Tried in the documentation',
  email: 'ann@example.com',
  credit_card_number: '4444555566661111',
  card_printed_name: 'ANN EXAMPLE',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
  ipaddress: '203.0.113.7',
  login: 'demo',
  redirect_url: 'https://example.com/back',
};

/** How the values of an operation that is signed by a header are written. */
const SCHEMES = { 'HMAC-SHA1': 'HMAC-SHA1', 'RSA-SHA256': 'RSA-SHA256', either: 'HMAC-SHA1' } as const;

export function tryIt(operation: Operation): Html {
  const { name, path, auth, request } = operation;
  const signed = auth.scheme === 'open' ? auth.ifSigned : auth;
  const fields = Object.values(request.fields).filter(({ wire }) => wire !== 'control');
  const [first, others] = [fields.filter(isAsked), fields.filter((field) => !isAsked(field))];
  const over = signed.scheme === 'control' ? signed.over.map((one) => spelled(fields, one)).join(' ') : undefined;
  const method = signed.scheme === 'oauth' ? SCHEMES[signed.method] : undefined;
  return html`<section class="try-it" aria-labelledby="try-it" hidden${attributes({
    'data-try': name,
    'data-path': path,
    'data-over': over,
    'data-method': method,
  })}>
<h2 id="try-it">Try it</h2>
<p class="intro">This sandbox answers. The browser signs with the demo merchant's ${method === 'RSA-SHA256' ? 'private' : 'control'} key.</p>
<form autocomplete="off">
<div class="try-fields">
${numberField('endpointId', 'The number at the end of the URL.')}
${first.map(inputOf)}
</div>
${others.length > 0 && html`<details><summary>More fields</summary><div class="try-fields">${others.map(inputOf)}</div></details>`}
<button type="submit">Sign and send</button>
</form>
<div class="try-result" aria-live="polite" hidden>
<h3>What was signed</h3><pre tabindex="0" role="group" aria-label="What was signed"><code data-signed></code></pre>
<h3>The request</h3><pre tabindex="0" role="group" aria-label="The request"><code data-request></code></pre>
<h3>The answer</h3><pre tabindex="0" role="group" aria-label="The answer"><code data-answer></code></pre>
<p><a data-help href="#try-it" hidden>What the error means</a></p>
</div>
</section>`;
}

/** Fields that are needed, or that make a first try tell something. */
function isAsked({ wire, required }: Field<unknown>): boolean {
  return required || canonicalName(wire) in VALUES || /^(orderid|cardrefid)$/.test(canonicalName(wire));
}

function spelled(fields: readonly Field<unknown>[], name: string): string {
  return fields.find(({ wire }) => canonicalName(wire) === name)?.wire ?? name;
}

function inputOf({ wire, required, maxLength, description }: Field<unknown>): Html {
  const value = VALUES[canonicalName(wire)];
  return html`<div class="field"><label for="try-${wire}"><code>${wire}</code>${required && html` <span class="need">required</span>`}</label>
<input${attributes({ id: `try-${wire}`, name: wire, maxlength: maxLength, value, 'aria-describedby': `about-${wire}` })}>
<p class="hint" id="about-${wire}">${description}</p></div>`;
}

function numberField(name: string, says: string): Html {
  return html`<div class="field"><label for="try-${name}"><code>${name}</code></label>
<select id="try-${name}" name="${name}" aria-describedby="about-${name}"></select>
<p class="hint" id="about-${name}">${says}</p></div>`;
}
