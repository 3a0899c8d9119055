// One line for each thing that happens in a sandbox: time, what it is, its order, what came of it, how long it took.

import { visible } from '../../domain/text.ts';
import type { Seen } from '../../telemetry/seen.ts';

export type Paint = (colour: 'good' | 'bad' | 'dim', text: string) => string;

const CODES = { good: 32, bad: 31, dim: 2 } as const;
const RESETS = { good: 39, bad: 39, dim: 22 } as const;

const PLAIN: Paint = (_, text) => text;
const COLOURED: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[${RESETS[colour]}m`;

/** Colours only where a terminal shows them, and nobody asked for none. */
export function paintOf(stream: { readonly isTTY?: boolean }): Paint {
  const isWanted = (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb';
  return stream.isTTY === true && isWanted ? COLOURED : PLAIN;
}

export const WIDTHS = { what: 26, order: 12 };
const BAD = /^(declined|error|filtered|unknown|refused)/;

export function seenLine(seen: Seen, paint: Paint): string {
  const { what, outcome, isBad } = partsOf(seen);
  const time = new Date(seen.at).toISOString().slice(11, 23);
  const order = seen.orderId === undefined ? '' : `order ${seen.orderId}`;
  const parts = [
    paint('dim', time),
    visible(what).padEnd(WIDTHS.what),
    order.padEnd(WIDTHS.order),
    paint(isBad ? 'bad' : 'good', visible(outcome)),
    paint('dim', `${Math.max(0, Math.round(seen.milliseconds))} ms`),
  ];
  return parts.join('  ');
}

function partsOf(seen: Seen): { readonly what: string; readonly outcome: string; readonly isBad: boolean } {
  switch (seen.kind) {
    case 'request': {
      const isBad = seen.httpStatus >= 400 || BAD.test(seen.outcome);
      const outcome = seen.httpStatus === 200 ? seen.outcome : `${seen.httpStatus} ${seen.outcome}`;
      return { what: `-> ${seen.operation ?? 'no operation'}`, outcome, isBad };
    }
    case 'bank':
      return { what: `   bank ${seen.instruction}`, outcome: seen.outcome, isBad: seen.outcome !== 'approved' };
    case 'callback':
      return { what: `<- callback`, outcome: `${seen.outcome} from ${seen.destination}`, isBad: !seen.isTaken };
  }
}
