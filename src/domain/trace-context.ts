// The header `traceparent` of W3C Trace Context: by it a request is one step of a trace that began elsewhere.

export type TraceContext = {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** Of the step that called: 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  readonly isSampled: boolean;
};

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** Undefined when the header is missing or none: a wrong one is as if it had not been sent. */
export function readTraceparent(header: string | string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (version === '' || version === 'ff' || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  // The first version ends with its flags; later ones may go on.
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
