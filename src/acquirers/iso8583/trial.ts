// Tries a host without money, on a connection of its own: connect, TLS, sign on, echo. It stops where one fails.

import type { TestLine } from '../acquirer.ts';
import { dial } from './dial.ts';
import type { LineOptions } from './line.ts';
import { HostSession, type NetworkOutcome } from './session.ts';

export async function tryHost({ address, wire, clock, answerMs, signOn }: LineOptions): Promise<readonly TestLine[]> {
  const dialled = await dial(address, clock, new AbortController().signal);
  if ('failed' in dialled) return dialledLines(address.tls !== undefined, dialled.failed, dialled.reason);
  const lines = [...dialledLines(address.tls !== undefined)];
  const { socket } = dialled;
  const { host } = address;
  const session = new HostSession({ socket, host, wire, clock, answerMs, isImpatient: true, onMessage: () => {} });
  const steps: [string, () => Promise<NetworkOutcome>][] = [
    ...(signOn ? [['sign on', () => session.signOn()] as [string, () => Promise<NetworkOutcome>]] : []),
    ['echo', () => session.echo()],
  ];
  for (const [what, step] of steps) {
    const outcome = await step();
    lines.push({ what, works: outcome.works, ...(!outcome.works && { detail: outcome.reason }) });
    if (!outcome.works) break;
  }
  session.end('the trial is over');
  return lines;
}

function dialledLines(hasTls: boolean, failed?: 'connect' | 'tls', detail?: string): TestLine[] {
  if (failed === 'connect') return [{ what: 'connect', works: false, detail }];
  const connected = { what: 'connect', works: true };
  if (!hasTls) return [connected];
  return [connected, failed === 'tls' ? { what: 'TLS', works: false, detail } : { what: 'TLS', works: true }];
}
