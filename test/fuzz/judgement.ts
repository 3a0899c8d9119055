// Which answers are allowed. Everything else is a finding.

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

/** Answers of the interface: its own media type, flat JSON whose values are texts, and no trace of the inside. */
const OPERATION_STATUSES = new Set([200, 400, 404, 405, 413, 417, 429, 431]);
const VERB_STATUSES = new Set([200, 400, 401, 403, 404]);
const PAGE_STATUSES = new Set([200, 302, 303, 400, 403, 404, 405, 409, 410, 413, 415, 422, 429, 431]);
const RAW_STATUSES = new Set([
  200, 302, 303, 400, 403, 404, 405, 408, 409, 410, 413, 415, 417, 422, 429, 431, 501, 505,
]);

const INSIDE = [
  /\bat (?:async )?[\w.<>]+ \((?:file|node):/,
  /node_modules/,
  /\bsrc\/[a-z-]+\/[a-z-]+\.ts\b/,
  /\b(?:select|insert into|update|delete from) [a-z_]+ /,
  /TypeError|RangeError|ReferenceError|SyntaxError: /,
  /PRIVATE KEY/,
];

export type AnswerKind = 'operation' | 'page' | 'verb' | 'raw';

const ALLOWED: Readonly<Record<AnswerKind, ReadonlySet<number>>> = {
  operation: OPERATION_STATUSES,
  page: PAGE_STATUSES,
  verb: VERB_STATUSES,
  raw: RAW_STATUSES,
};

/**
 * What runs here, and the collection of requests to try it with, shown by a sandbox with the key of its demo merchant:
 * that is what they are for.
 */
const isForTrials = (kind: AnswerKind, body: string) =>
  kind === 'page' && (body.includes('<title>Tender · Sandbox</title>') || body.startsWith('{"info":{"name":"Tender '));

/** Why an answer is not allowed; undefined when it is. `secrets` are texts that no answer may show. */
export function complaintAbout(kind: AnswerKind, answer: Answer, secrets: readonly string[]): string | undefined {
  const { status, body } = answer;
  if (!ALLOWED[kind].has(status)) return `status ${status}`;
  if (!isForTrials(kind, body) && secrets.some((secret) => body.includes(secret))) return 'it shows a secret';
  const inside = INSIDE.find((pattern) => pattern.test(body));
  if (inside) return `it shows the inside: ${inside.source}`;
  return kind === 'operation' && status !== 405 ? formComplaint(answer) : undefined;
}

function formComplaint({ contentType, body }: Answer): string | undefined {
  if (contentType.startsWith('text/')) return undefined; // legacy replies are forms
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'its body is no JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'its body is no JSON object';
  const odd = Object.entries(value).find(([name, one]) => typeof one !== 'string' && name !== 'errors');
  return odd ? `${odd[0]} is no text` : undefined;
}

/** The fields of a reply of the interface, in either form. */
export function replyFields({ contentType, body }: Answer): Readonly<Record<string, string>> {
  if (!contentType.startsWith('text/')) return JSON.parse(body);
  return Object.fromEntries(new URLSearchParams(body.replaceAll('\n', '')));
}

/** Whether what was asked for was done, or begun. */
export function isAccepted(kind: AnswerKind, answer: Answer): boolean {
  const { status } = answer;
  if (kind === 'page') return status === 200 || status === 302 || status === 303;
  if (kind !== 'operation' || status !== 200) return status === 200;
  return !/error/.test(replyFields(answer).type ?? 'error');
}
