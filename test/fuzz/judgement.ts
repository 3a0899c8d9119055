// Which answers are allowed. Everything else is a finding.

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

/** Answers of the interface: its own media type, flat JSON whose values are texts, and no trace of the inside. */
const OPERATION_STATUSES = new Set([200, 400, 404, 405, 413, 417, 429, 431]);
const PAGE_STATUSES = new Set([200, 302, 303, 400, 403, 404, 405, 409, 410, 413, 415, 429, 431]);
const RAW_STATUSES = new Set([200, 302, 303, 400, 403, 404, 405, 408, 409, 410, 413, 415, 417, 429, 431, 501, 505]);

const INSIDE = [
  /\bat (?:async )?[\w.<>]+ \((?:file|node):/,
  /node_modules/,
  /\bsrc\/[a-z-]+\/[a-z-]+\.ts\b/,
  /\b(?:select|insert into|update|delete from) [a-z_]+ /,
  /TypeError|RangeError|ReferenceError|SyntaxError: /,
  /PRIVATE KEY/,
];

/** Why an answer is not allowed; undefined when it is. `secrets` are texts that no answer may show. */
export function complaintAbout(
  kind: 'operation' | 'page' | 'raw',
  answer: Answer,
  secrets: readonly string[],
): string | undefined {
  const { status, body } = answer;
  const allowed = { operation: OPERATION_STATUSES, page: PAGE_STATUSES, raw: RAW_STATUSES }[kind];
  if (!allowed.has(status)) return `status ${status}`;
  if (secrets.some((secret) => body.includes(secret))) return 'it shows a secret';
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
