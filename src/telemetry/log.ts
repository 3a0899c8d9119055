// The log: one JSON line per event, made of a fixed message and an allow-list of fields, and masked once more at the
// end. Other fields are not written; an error shows name, message and stack frames, never its properties. Whoever reads
// it in a terminal is told nothing but text.

import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import { visible } from '../domain/text.ts';

const LEVELS = { info: 'info', warn: 'warn', error: 'error' } as const;

export type LogFields = {
  /** Which of several processes of a gateway it is about, or says it. */
  readonly worker?: number | undefined;
  readonly orderId?: number;
  readonly merchantId?: number;
  readonly serialNumber?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly status?: number;
  readonly outcome?: string;
  readonly errorCode?: number;
  readonly traceId?: string;
  readonly version?: string;
  readonly mode?: string;
  readonly terminal?: string;
  readonly address?: string;
  readonly database?: string;
  readonly count?: number;
  readonly milliseconds?: number;
  readonly detail?: string;
  readonly error?: unknown;
};

export type Log = Record<keyof typeof LEVELS, (message: string, fields?: LogFields) => void>;

/** `worker` is in every line, where the process is one of several. */
export function createLog(write: (line: string) => void, now: () => number = Date.now, worker?: number): Log {
  const line = (level: string, message: string, fields: LogFields) => {
    const { error } = fields;
    const entry = {
      at: new Date(now()).toISOString(),
      level,
      message,
      worker: fields.worker ?? worker,
      orderId: fields.orderId,
      merchantId: fields.merchantId,
      serialNumber: fields.serialNumber,
      operation: fields.operation,
      method: fields.method,
      status: fields.status,
      outcome: fields.outcome,
      errorCode: fields.errorCode,
      traceId: fields.traceId,
      version: fields.version,
      mode: fields.mode,
      terminal: fields.terminal,
      address: fields.address,
      database: fields.database,
      count: fields.count,
      milliseconds: fields.milliseconds,
      detail: fields.detail,
      error: error === undefined ? undefined : describe(error),
      stack: error instanceof Error ? stackOf(error) : undefined,
    };
    write(`${visible(maskCardNumbers(JSON.stringify(entry)))}\n`);
  };
  return {
    info: (message, fields = {}) => line('info', message, fields),
    warn: (message, fields = {}) => line('warn', message, fields),
    error: (message, fields = {}) => line('error', message, fields),
  };
}

/** Name and message along the chain of causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause === undefined ? '' : ` ← ${describe(error.cause)}`;
  return `${error.name}: ${error.message}${cause}`;
}

/** The stack frames without the message line: they say where the error was, not what it said. */
function stackOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((frame) => frame.startsWith('    at '))
    .slice(0, 8)
    .map((frame) => frame.trim());
}
