// "Try it": shown where a sandbox with its demo merchant serves the page. It signs the form's fields, sends them and
// shows what was signed, sent and answered.

import { type SignedTry, type SigningKeys, signedByControl, signedByOAuth } from './signing.ts';

const MEDIA_TYPE = 'application/vnd.pay+json';

type Sandbox = SigningKeys & { readonly basePath: string; readonly endpoints: readonly SandboxEndpoint[] };
type SandboxEndpoint = { readonly endpointId: number; readonly name: string; readonly currency: string };

export async function offerTry(section: HTMLElement, root: string): Promise<void> {
  const reply = await fetch(`${root}sandbox.json`);
  const sandbox = (await reply.json()) as Partial<Sandbox>;
  const form = section.querySelector('form');
  if (!form || sandbox.login === undefined || crypto.subtle === undefined) return;
  prepare(form, sandbox as Sandbox);
  section.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(section, form, sandbox as Sandbox);
  });
}

function prepare(form: HTMLFormElement, { endpoints }: Sandbox): void {
  const now = Date.now().toString(36);
  for (const input of form.querySelectorAll('input')) input.value = input.value.replace('{now}', now);
  const select = form.querySelector('select');
  const options = endpoints.map(
    ({ endpointId, name, currency }) => new Option(`${endpointId} · ${name}, ${currency}`, String(endpointId)),
  );
  select?.append(...options);
}

async function send(section: HTMLElement, form: HTMLFormElement, sandbox: Sandbox): Promise<void> {
  const { path = '', over, method = '' } = section.dataset;
  const { endpointId, fields } = valuesOf(form);
  const url = `${location.origin}${sandbox.basePath}${path}/${endpointId}`;
  const toSign = { url, endpointId, fields };
  const signed =
    over === undefined
      ? await signedByOAuth(toSign, method, sandbox)
      : await signedByControl(toSign, over.split(' '), sandbox);
  const answer = await answerTo(signed);
  show(section, signed, answer);
  const [, code] = /"error-code": "(\d+)"/.exec(answer) ?? [];
  const help = section.querySelector<HTMLAnchorElement>('[data-help]');
  if (!help) return;
  help.hidden = code === undefined;
  help.href = `${document.body.dataset.root ?? './'}reference/errors/${code}`;
  help.textContent = `What error ${code} means`;
}

/** Fields without a value are not sent. */
function valuesOf(form: HTMLFormElement): Pick<Parameters<typeof signedByControl>[0], 'endpointId' | 'fields'> {
  const all = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  const endpointId = all.find(([name]) => name === 'endpointId')?.[1] ?? '';
  return { endpointId, fields: all.filter(([name, value]) => name !== 'endpointId' && value !== '') };
}

async function answerTo({ url, fields, authorization }: SignedTry): Promise<string> {
  const headers = { Accept: MEDIA_TYPE, ...(authorization === undefined ? {} : { Authorization: authorization }) };
  try {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    const reply = await fetch(url, { method: 'POST', headers, body });
    const text = await reply.text();
    return `HTTP ${reply.status}\n\n${text.startsWith('{') ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
  } catch (error) {
    return `No answer: ${error instanceof Error ? error.message : error}`;
  }
}

function show(section: HTMLElement, { url, fields, authorization, signed }: SignedTry, answer: string): void {
  const header = authorization === undefined ? '' : `\nAuthorization: ${authorization}`;
  const lines = fields.map(([name, value]) => `${name}=${value}`).join('\n');
  const texts = {
    signed,
    request: `POST ${url}\nAccept: ${MEDIA_TYPE}${header}\n\n${lines}`,
    answer,
  };
  for (const [name, text] of Object.entries(texts)) {
    const place = section.querySelector(`[data-${name}]`);
    if (place) place.textContent = text;
  }
  const result = section.querySelector<HTMLElement>('.try-result');
  if (result) result.hidden = false;
}
