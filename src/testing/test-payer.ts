// A payer in a test, without a browser: opens a hosted form, enters a card, waits for the end, and gives what the page
// would then post to the shop.

/** What is typed into the form; an ordinary card that is approved unless given. */
export type PayerCard = {
  readonly credit_card_number?: string;
  /** The security code decides what the simulated bank says: 123 approved, 116 insufficient funds. */
  readonly cvv2?: string;
  readonly expiry?: string;
  readonly card_printed_name?: string;
};

export type PaidForm = {
  /** `approved`, `declined`, `card` when another card is asked for, `authentication` when 3-D Secure comes next. */
  readonly state: string;
  /** What the browser posts to the shop, and where; undefined while the form is not at its end. */
  readonly redirect: { readonly url: string; readonly fields: Readonly<Record<string, string>> } | undefined;
};

const CARD: PayerCard = {
  credit_card_number: '4444555566661111',
  ...{ expiry: '12 / 39', cvv2: '123', card_printed_name: 'ANN EXAMPLE' },
};
const LOOK_MS = 25;
const WITHIN_MS = 20_000;

/** `address`: the `redirect-url` of the reply. */
export async function payForm(address: string, card: PayerCard = {}): Promise<PaidForm> {
  const page = await (await fetch(address, { redirect: 'manual' })).text();
  const sent = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(address).origin },
    body: new URLSearchParams({ ...hiddenIn(page), ...CARD, ...card } as Record<string, string>).toString(),
  });
  if (sent.status >= 400) throw new Error(`the form was answered with ${sent.status}: ${textOf(await sent.text())}`);
  const state = await endOf(address);
  const end = await (await fetch(address, { redirect: 'manual' })).text();
  const [, url] = /<form method="post" action="([^"]+)"/.exec(end) ?? [];
  const fields = hiddenIn(end);
  return { state, redirect: url && fields.control ? { url: unescaped(url), fields } : undefined };
}

async function endOf(address: string): Promise<string> {
  for (const until = Date.now() + WITHIN_MS; ; ) {
    const { state } = (await (await fetch(`${address}/state`)).json()) as { state: string };
    if (state !== 'processing') return state;
    if (Date.now() > until) throw new Error(`the form is still processing after ${WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function hiddenIn(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function textOf(page: string): string {
  return page
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
