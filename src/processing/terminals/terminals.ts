// The terminals of a node: each opened by its connector from the live configuration, and opened anew when what it was
// opened with has changed. Disabled ones stay open, because what has begun there ends there.

import type { Acquirer, TestLine, TraceLine } from '../../acquirers/acquirer.ts';
import { type Connector, readConnectorSettings } from '../../acquirers/connector.ts';
import type { Terminal } from '../../domain/acquirer/terminal.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Watches } from '../../telemetry/seen.ts';
import { watchedAcquirer } from '../../telemetry/watched-acquirer.ts';
import type { LiveConfiguration, LiveTerminal } from '../node/live-configuration.ts';
import type { Breakers } from './breakers.ts';
import { type OpenTerminal, type OpenTerminals, siteOf } from './terminal.ts';
import { type TerminalConnection, TerminalLine } from './terminal-line.ts';

/** A terminal of this node: as it is set now, and what is known of the way to its bank. */
export type KnownTerminal = OpenTerminal & {
  readonly settings: Terminal;
  readonly connection: TerminalConnection;
};

/** A terminal whose acquirer the process has opened by itself, and closes. */
export type OwnTerminal = {
  readonly acquirer: Acquirer;
  /** Where its bank is, without credentials. */
  readonly address: string;
};

export type TerminalsParts = {
  /** Counts what a bank answers, and whether it does. */
  readonly breakers: Pick<Breakers, 'isOpen' | 'over'>;
  /** The public address of the interface. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly configuration: Pick<LiveConfiguration, 'terminals' | 'tell'>;
  readonly connectors: readonly Connector[];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly own: Readonly<Record<string, OwnTerminal>>;
  /** Terminals beside those that are configured; one of the same name takes the other's place. */
  readonly given?: readonly OpenTerminal[] | undefined;
  readonly watches?: Watches | undefined;
};

/** What a connector that is not known here can do. */
const UNKNOWN_CONNECTOR = { does: [], partial: [], inquiry: 'message', needsCard: false } as const;

type Opened = { readonly known: KnownTerminal; readonly line: TerminalLine; with: LiveTerminal };

export class Terminals implements OpenTerminals {
  readonly #parts: TerminalsParts;
  readonly #opened = new Map<string, Opened>();
  /** The list that was last looked at. */
  #seen: readonly LiveTerminal[] | undefined;
  #all: readonly KnownTerminal[] = [];
  #isClosed = false;

  constructor(parts: TerminalsParts) {
    this.#parts = parts;
  }

  /** Opens all of them, and follows the configuration from now on. The public address must be known. */
  begin(): void {
    this.#follow();
    this.#parts.configuration.tell(() => this.#follow());
  }

  find(name: string): OpenTerminal | undefined {
    return this.#parts.given?.find((one) => one.name === name) ?? this.#known(name);
  }

  #known(name: string): KnownTerminal | undefined {
    this.#follow();
    return this.#opened.get(name)?.known;
  }

  /** In the order in which they were added, disabled ones too. */
  all(): readonly KnownTerminal[] {
    this.#follow();
    return this.#all;
  }

  connection(name: string): TerminalConnection | undefined {
    return this.#known(name)?.connection;
  }

  /** Tries what can be tried without money. */
  test(name: string): Promise<readonly TestLine[]> | undefined {
    return this.find(name)?.acquirer.test();
  }

  /** Connectors mask their messages; whatever still looks like a card number is masked here. */
  traced(name: string): readonly TraceLine[] | undefined {
    const found = this.find(name);
    const lines = found && (found.acquirer.traced?.() ?? []);
    return lines?.map((line) => ({ ...line, text: maskCardNumbers(line.text) }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const lines = [...this.#opened].filter(([name]) => !this.#ownOf(name)).map(([, { line }]) => line);
    await Promise.all(lines.map((line) => line.close().catch((error) => this.#notClosed(error))));
  }

  #follow(): void {
    const { terminals } = this.#parts.configuration;
    if (terminals === this.#seen || this.#isClosed) return;
    this.#seen = terminals;
    this.#all = terminals.map((terminal) => this.#adopt(terminal).known);
  }

  #adopt(terminal: LiveTerminal): Opened {
    const before = this.#opened.get(terminal.name);
    if (before) {
      const isSame = this.#ownOf(terminal.name) !== undefined || opensAlike(before.with, terminal);
      before.with = terminal;
      if (!isSame) before.line.use(() => this.#open(terminal));
      return before;
    }
    const opened = this.#make(terminal);
    this.#opened.set(terminal.name, opened);
    opened.line.use(() => this.#open(terminal));
    return opened;
  }

  #make(terminal: LiveTerminal): Opened {
    const { breakers, clock } = this.#parts;
    const line = new TerminalLine({ clock, notClosed: (error) => this.#notClosed(error) });
    const { does, partial, inquiry, needsCard } = this.#connectorOf(terminal) ?? UNKNOWN_CONNECTOR;
    const opened: Opened = {
      with: terminal,
      line,
      known: {
        ...{ name: terminal.name, does, partial, inquiry, needsCard },
        acquirer: breakers.over(terminal.name, line),
        site: (endpoint) => siteOf(endpoint, opened.with),
        get settings() {
          return opened.with;
        },
        get connection() {
          return { ...line.state, isLeftOut: breakers.isOpen(terminal.name) || undefined };
        },
      },
    };
    return opened;
  }

  #open(terminal: LiveTerminal): Acquirer {
    const { name, settings, secrets } = terminal;
    const { baseUrl, clock, log, metrics, watches } = this.#parts;
    const own = this.#ownOf(name);
    const watching = { terminal: name, clock, log, metrics, watches };
    if (own) return watchedAcquirer(own.acquirer, { ...watching, address: own.address });
    const connector = this.#connectorOf(terminal);
    if (!connector) throw new Error(`connector ${terminal.connector} is not known here`);
    const read = readConnectorSettings(connector, { ...settings, ...secrets });
    if ('faults' in read) throw new Error(read.faults.join('; '));
    const noticeUrl = `${baseUrl()}/bank/${name}`;
    // They were read by the settings of this connector, whichever it is.
    return watchedAcquirer(connector.open(read.values as never, { clock, terminal: name, noticeUrl }), watching);
  }

  #connectorOf({ connector: wanted }: Terminal): Connector | undefined {
    return this.#parts.connectors.find(({ name }) => name === wanted);
  }

  #ownOf(name: string): OwnTerminal | undefined {
    const { own } = this.#parts;
    return Object.hasOwn(own, name) ? own[name] : undefined;
  }

  #notClosed(error: unknown): void {
    this.#parts.log.warn('a connection to a bank could not be closed', { error });
  }
}

/** Whether a connector that was opened with the one need not be opened again for the other. */
function opensAlike(one: LiveTerminal, other: LiveTerminal): boolean {
  return openedWith(one) === openedWith(other);
}

function openedWith({ connector, settings, secrets }: LiveTerminal): string {
  const revealed = Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]);
  return JSON.stringify([connector, sorted(Object.entries(settings)), sorted(revealed)]);
}

function sorted(entries: (readonly unknown[])[]): (readonly unknown[])[] {
  return entries.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}
