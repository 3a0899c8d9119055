// The pages of the simulated issuer: the question, the page that sends the browser on, and a plain message. Scripts and
// styles are never inline; addresses are relative, so that a proxy may serve them at any path; all pages work without
// JavaScript, in a frame of 250 pixels and on a whole screen.

import { MOST_TRIES, PASSWORD } from './question.ts';

export type PageReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type QuestionPage = {
  readonly action: string;
  readonly transaction: string;
  readonly merchant: string;
  /** Undefined when the question is not about a payment. */
  readonly amount: string | undefined;
  readonly lastFour: string;
  readonly wrongAnswers: number;
};

export function questionPage({
  action,
  transaction,
  merchant,
  amount,
  lastFour,
  wrongAnswers,
}: QuestionPage): PageReply {
  const left = MOST_TRIES - wrongAnswers;
  const wrong =
    wrongAnswers === 0
      ? ''
      : `<p class="wrong" id="wrong" role="alert">That password is wrong. ${left === 1 ? 'One try is' : `${left} tries are`} left.</p>`;
  const facts = [
    ['Shop', merchant],
    ...(amount === undefined ? [] : [['Amount', amount]]),
    ['Card', `•••• ${lastFour}`],
  ].map(([name = '', value = '']) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`);
  return page({
    status: 200,
    title: 'Confirm your payment',
    formTargets: "'self'",
    body: `
      <h1>${amount === undefined ? 'Confirm your card' : 'Confirm your payment'}</h1>
      <dl>${facts.join('')}</dl>
      <form method="post" action="${escaped(action)}">
        <input type="hidden" name="transaction" value="${escaped(transaction)}">
        ${wrong}
        <label for="password">Your password</label>
        <input id="password" name="password" type="password" autocomplete="off" autocapitalize="none" spellcheck="false"
          maxlength="64" aria-describedby="${wrong === '' ? 'about' : 'wrong about'}"${wrong === '' ? '' : ' aria-invalid="true"'} autofocus>
        <p class="about" id="about">This is a simulated bank. The password is <code>${PASSWORD}</code>.</p>
        <button type="submit" name="do" value="confirm">Confirm</button>
        <button type="submit" name="do" value="cancel" class="second" formnovalidate>Cancel</button>
      </form>`,
  });
}

/** Sends the browser on with a form; without JavaScript the payer presses a button. */
export function sendingPage({
  action,
  fields,
}: {
  action: string;
  fields: Readonly<Record<string, string>>;
}): PageReply {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return page({
    status: 200,
    title: 'Back to the shop',
    // The receiver may redirect the browser to any address, and browsers apply this page's policy to that too.
    formTargets: 'http: https:',
    head: '<script src="send.js" defer></script>',
    body: `
      <h1>Back to the shop</h1>
      <form method="post" action="${escaped(action)}" data-send>
        ${inputs.join('\n        ')}
        <p class="about">You are taken back. If nothing happens, continue yourself.</p>
        <button type="submit">Continue</button>
      </form>`,
  });
}

export function messagePage(status: number, title: string, text: string): PageReply {
  const body = `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>`;
  return page({ status, title, formTargets: "'none'", body });
}

type PageParts = {
  readonly status: number;
  readonly title: string;
  readonly formTargets: string;
  readonly head?: string;
  readonly body: string;
};

function page({ status, title, formTargets, head = '', body }: PageParts): PageReply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      // Shops show these pages in frames, so any page may frame them.
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action ${formTargets}; frame-ancestors *`,
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="page.css">
    ${head}
  </head>
  <body>
    <main>
      <header><span class="mark" aria-hidden="true"></span><span>Simulated bank</span></header>${body}
    </main>
  </body>
</html>
`,
  };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
