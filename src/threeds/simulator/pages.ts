// The pages of the simulated issuer: the question, the page that sends the browser on, and a plain message. Scripts and
// styles are never inline; addresses are relative, so that a proxy may serve them at any path; all pages work without
// JavaScript, in a frame of 250 pixels and on a whole screen.

import type { Language } from '../../domain/merchant/look.ts';
import { ISSUER_TEXTS } from './page-texts.ts';
import { MOST_TRIES, PASSWORD } from './question.ts';

export type PageReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type QuestionPage = {
  readonly language: Language;
  readonly action: string;
  readonly transaction: string;
  readonly merchant: string;
  /** Undefined when the question is not about a payment. */
  readonly amount: string | undefined;
  readonly lastFour: string;
  readonly wrongAnswers: number;
};

export function questionPage(question: QuestionPage): PageReply {
  const { language, action, transaction, merchant, amount, lastFour, wrongAnswers } = question;
  const texts = ISSUER_TEXTS[language];
  const left = String(MOST_TRIES - wrongAnswers);
  const wrong =
    wrongAnswers === 0
      ? ''
      : `<p class="wrong" id="wrong" role="alert">${escaped(texts.wrong.replace('{left}', left))}</p>`;
  const facts = [
    [texts.shop, merchant],
    ...(amount === undefined ? [] : [[texts.amount, amount]]),
    [texts.card, `•••• ${lastFour}`],
  ].map(([name = '', value = '']) => `<div><dt>${escaped(name)}</dt><dd><bdi>${escaped(value)}</bdi></dd></div>`);
  const title = amount === undefined ? texts.confirmCard : texts.confirmPayment;
  const about = escaped(texts.about).replace('{password}', `<code>${PASSWORD}</code>`);
  return page({
    status: 200,
    language,
    title,
    formTargets: "'self'",
    body: `
      <h1>${escaped(title)}</h1>
      <dl>${facts.join('')}</dl>
      <form method="post" action="${escaped(action)}">
        <input type="hidden" name="transaction" value="${escaped(transaction)}">
        ${wrong}
        <label for="password">${escaped(texts.password)}</label>
        <input id="password" name="password" type="password" autocomplete="off" autocapitalize="none" spellcheck="false"
          maxlength="64" aria-describedby="${wrong === '' ? 'about' : 'wrong about'}"${wrong === '' ? '' : ' aria-invalid="true"'} autofocus>
        <p class="about" id="about">${about}</p>
        <button type="submit" name="do" value="confirm">${escaped(texts.confirm)}</button>
        <button type="submit" name="do" value="cancel" class="second" formnovalidate>${escaped(texts.cancel)}</button>
      </form>`,
  });
}

/** Sends the browser on with a form; without JavaScript the payer presses a button. */
export function sendingPage({
  language,
  action,
  fields,
}: {
  language: Language;
  action: string;
  fields: Readonly<Record<string, string>>;
}): PageReply {
  const texts = ISSUER_TEXTS[language];
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return page({
    status: 200,
    language,
    title: texts.backTitle,
    // The receiver may redirect the browser to any address, and browsers apply this page's policy to that too.
    formTargets: 'http: https:',
    head: '<script src="send.js" defer></script>',
    body: `
      <h1>${escaped(texts.backTitle)}</h1>
      <form method="post" action="${escaped(action)}" data-send>
        ${inputs.join('\n        ')}
        <p class="about">${escaped(texts.backText)}</p>
        <button type="submit">${escaped(texts.continue)}</button>
      </form>`,
  });
}

/** The payer comes with what no question belongs to, or too late. */
export function noQuestionPage(status: number, why: 'unreadable' | 'closed', language: Language): PageReply {
  const texts = ISSUER_TEXTS[language];
  return messagePage(status, texts[`${why}Title`], texts[`${why}Text`], language);
}

export function messagePage(status: number, title: string, text: string, language: Language = 'en'): PageReply {
  const body = `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>`;
  return page({ status, language, title, formTargets: "'none'", body });
}

type PageParts = {
  readonly status: number;
  readonly language: Language;
  readonly title: string;
  readonly formTargets: string;
  readonly head?: string;
  readonly body: string;
};

function page({ status, language, title, formTargets, head = '', body }: PageParts): PageReply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      // Shops show these pages in frames, so any page may frame them.
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action ${formTargets}; frame-ancestors *`,
    },
    body: `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
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
      <header><span class="mark" aria-hidden="true"></span><span>${escaped(ISSUER_TEXTS[language].bank)}</span></header>${body}
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
