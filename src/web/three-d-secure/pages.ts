// The pages of the simple flow: what a payer sees on the way to the issuer and back. They work without a script, with a button; no
// card data is in any of them.

export type Html = { readonly title: string; readonly body: string; readonly refreshSeconds?: number };

/** How long a browser waits for the issuer's method page. */
export const METHOD_WAIT_MS = 10_000;

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

export type Assets = { readonly script: string; readonly style: string };

export function document({ title, body, refreshSeconds }: Html, { script, style }: Assets): string {
  const refresh = refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${refresh}<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(style)}">
<script src="${escaped(script)}" defer></script>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const SPINNER = '<div class="spinner" aria-hidden="true"></div>';

/** The browser tells what it is; in a hidden frame the issuer looks at it, where the issuer has such a page. */
export function browserPage({
  action,
  method,
}: {
  action: string;
  method: { readonly url: string; readonly data: string } | undefined;
}): Html {
  const frame =
    method &&
    `<iframe name="method" title="Your bank" hidden></iframe>
<form id="method" method="post" action="${escaped(method.url)}" target="method" hidden>
<input type="hidden" name="threeDSMethodData" value="${escaped(method.data)}">
</form>`;
  return {
    title: 'Your bank is being asked',
    body: `${SPINNER}
<p role="status">We ask your bank whether it wants to check that this is you. This takes a few seconds.</p>
${frame ?? ''}
<form id="continue" method="post" action="${escaped(action)}" data-wait="${METHOD_WAIT_MS}">
<button type="submit">Continue</button>
</form>`,
  };
}

/** On to the issuer's own page. */
export function handOverPage({ action, fields }: { action: string; fields: Readonly<Record<string, string>> }): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return {
    title: 'To your bank',
    body: `${SPINNER}
<p role="status">Your bank wants to check that this is you. You are being taken to its page.</p>
<form id="hand-over" method="post" action="${escaped(action)}">
${inputs.join('\n')}
<button type="submit">Go to your bank</button>
</form>`,
  };
}

export function waitPage(): Html {
  return {
    title: 'One moment',
    body: `${SPINNER}\n<p role="status">Your bank's answer is on its way. This page goes on by itself.</p>`,
    refreshSeconds: 1,
  };
}

/** In the hidden frame, once the issuer has looked at the browser. */
export function methodDonePage(): Html {
  return { title: 'Done', body: '<p id="method-done">This step is done.</p>' };
}

export function messagePage(title: string, text: string): Html {
  return { title, body: `<p>${escaped(text)}</p>` };
}
