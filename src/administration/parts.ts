// Everything the verbs of administration may need.

import type { TestLine, TraceLine } from '../acquirers/acquirer.ts';
import type { Connector } from '../acquirers/connector.ts';
import type { Clock } from '../domain/clock.ts';
import type { Look } from '../domain/merchant/look.ts';
import type { BankJournalLine } from '../domain/money/reconciliation.ts';
import type { ListenerDesk } from '../domain/order/handed-callbacks.ts';
import type { TamperedRecord } from '../domain/records.ts';
import type { CardNetwork, NetworkConnection, ServerSighting } from '../domain/three-d-secure/card-network.ts';
import type { DigestKeyRotation } from '../processing/node/digest-key-rotation.ts';
import type { KeyRotation } from '../processing/node/key-rotation.ts';
import type { Door } from '../processing/orders/door.ts';
import type { MoneyDeeds } from '../processing/orders/money-deeds.ts';
import type { SeenUses } from '../processing/requests/key-uses.ts';
import type { SandboxClock } from '../processing/sandbox/clock-mover.ts';
import type { DemoClient } from '../processing/sandbox/demo-client.ts';
import type { Routing } from '../processing/terminals/routing.ts';
import type { TerminalConnection } from '../processing/terminals/terminal-line.ts';
import type { AuditStore } from '../storage/audit.ts';
import type { CardNetworkStore } from '../storage/card-networks.ts';
import type { BinTableStore } from '../storage/cards/bin-tables.ts';
import type { ConfigurationStore } from '../storage/configuration.ts';
import type { FigureCounts } from '../storage/figures/counting.ts';
import type { FigureStore } from '../storage/figures/figures.ts';
import type { ArchiveStore } from '../storage/history/archives.ts';
import type { IdCounter } from '../storage/id-counter.ts';
import type { DataKeyUse } from '../storage/keys/data-keys.ts';
import type { LivingNodes } from '../storage/living-nodes.ts';
import type { LookStore } from '../storage/looks.ts';
import type { BalanceStore } from '../storage/orders/balances.ts';
import type { CallbackStore } from '../storage/orders/callbacks.ts';
import type { InstructionStore } from '../storage/orders/instructions.ts';
import type { TimelineStore } from '../storage/orders/timelines.ts';
import type { UnfinishedStore } from '../storage/orders/unfinished.ts';
import type { VerificationStore } from '../storage/orders/verification.ts';
import type { SavedFilterStore } from '../storage/people/saved-filters.ts';
import type { PeopleStores } from '../storage/people/stores.ts';
import type { WaitingDeedStore } from '../storage/people/waiting-deeds.ts';
import type { RecurringStore } from '../storage/recurring.ts';
import type { ScreeningRuleStore } from '../storage/screening-rules.ts';
import type { CardReferenceStore, OrderStore } from '../storage/store.ts';
import type { TerminalStore } from '../storage/terminals.ts';
import type { DirectoryAnswer } from '../threeds/directory.ts';
import type { Vault } from '../vault/vault.ts';
import type { Runs } from './books/runs.ts';
import type { ImportStage } from './merchant-import/import-stage.ts';

/** What the bank of a gateway does besides payments. Whatever is asked throws `OutOfReach` when it does not answer. */
export type BankOffice = {
  clear(): Promise<ClearedDay>;
  /** Returns a payout that it approved, by our reference. Tells whether it is returned now. */
  returnPayout(reference: string): Promise<boolean>;
  /** The settlement file of a business day, line by line, the names of its columns first. */
  settlement(date: string): AsyncIterable<string>;
  /** Its journal of all instructions without the first `from`, oldest first, each as one line of JSON. */
  journal(from: number): AsyncIterable<string>;
  /** The same, as reconciliation reads it. */
  books(): AsyncIterable<BankJournalLine>;
  /** How it misbehaves, as JSON; what is given comes into force first. Throws `Error` when that is no such thing. */
  faults(given?: string): Promise<string>;
};

export type ClearedDay = { readonly date: string; readonly at: number; readonly lines: number };

/** What can be seen of a brand's directory server from here. */
export type NetworkOffice = {
  look(connection: NetworkConnection): Promise<ServerSighting>;
  /** Asks for all its ranges of cards. */
  askRanges(network: CardNetwork): Promise<DirectoryAnswer<'PRes'>>;
};

/** What a running gateway does with the money of orders when people ask for it. */
export type MoneyOffice = Pick<MoneyDeeds, 'followUp' | 'payOut'>;

/** What a running gateway knows of its terminals, and tries with them; undefined of one that it does not know. */
export type TerminalOffice = {
  connection(name: string): TerminalConnection | undefined;
  test(name: string): Promise<readonly TestLine[]> | undefined;
  /** The latest messages, masked; none where the connector keeps none. */
  traced(name: string): readonly TraceLine[] | undefined;
};

/** What a running sandbox has to play with. */
export type SandboxOffice = {
  /** What 3-D Secure makes of them. */
  readonly testCards: readonly { readonly number: string; readonly means: string }[];
  /** How the simulated card networks misbehave, as JSON; what is given comes into force first. Throws `Error`. */
  networkFaults(given?: string): Promise<string>;
  readonly networkFaultWords: Readonly<Record<string, readonly string[]>>;
  /** The demo merchant's program, while the demo merchant is as it was made. */
  client(): DemoClient | undefined;
  /** Only where all parts of the sandbox share it. */
  readonly clock: SandboxClock | undefined;
  /** Who takes callbacks in the place of merchants' addresses. */
  readonly listeners: ListenerDesk;
  /** Tells the gateway, as its bank would, that a payout came back. Returns whether the notice was taken. */
  tellReturned(terminal: string, reference: string): Promise<boolean>;
  /** A page of this sandbox that takes every callback. */
  callbackUrl(): string;
};
/** Where a running gateway would send an order. */
export type RouteOffice = Pick<Routing, 'unroutable' | 'wouldGo'>;
/** What endpoints of a running sandbox are tried with. */
export type TrialOffice = {
  /** Of the interface, for merchants. */
  address(): string;
  readonly cards: readonly { readonly name: string; readonly number: string; readonly means: string }[];
  /** How the simulated bank answers, by security code. */
  readonly outcomes: readonly { readonly code: string; readonly means: string }[];
  /** Sends a form over HTTP, as anybody would. Throws `OutOfReach` when nobody answers. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** What its merchant is told of an order that has ended. */
  callback(order: TriedOrderKey): Promise<readonly { readonly name: string; readonly value: string }[] | undefined>;
};

export type TriedOrderKey = { readonly merchantId: number; readonly orderId: number };

/** What can be done about records that carry MACs. */
export type RecordOffice = {
  /** How many there are, and what is wrong with them. */
  look(): Promise<{ readonly count: number; readonly tampered: readonly TamperedRecord[] }>;
  /** Signs all of them as they are, and tells how many. */
  signAll(): Promise<number>;
  /** Throws `TamperedRecords` while anything is wrong. */
  rotateKey(): Promise<{ readonly dataKeyId: number; readonly signed: number }>;
};

/** A file that the hosted pages load. */
export type PageAsset = {
  readonly path: string;
  readonly kind: 'script' | 'stylesheet' | 'image';
  readonly type: string;
  readonly bytes: number;
  readonly integrity: string;
  readonly endpointId?: number;
  readonly reason: string;
};

export type ServedCertificate = {
  readonly servedAt: 'interface' | 'administrators';
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: number;
  readonly validUntil: number;
  readonly fingerprint: string;
};

/** What an installation runs with. Nothing of it is secret. */
export type Installation = {
  readonly version: string;
  readonly node: string;
  readonly mode: 'sandbox' | 'production';
  readonly publicAddress: string | undefined;
  readonly localAddress: string | undefined;
  readonly settings: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly certificates: readonly ServedCertificate[];
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly pageAssets: readonly PageAsset[];
};

export type InstallationOffice = {
  /** `looks` are those of the endpoints' hosted pages. */
  look(looks: ReadonlyMap<number, Look>): Promise<Installation>;
};

/** What verbs change, as it is in the database or in one transaction on it. */
export type AdministrationStores = {
  readonly accounts: BalanceStore;
  readonly archives: ArchiveStore;
  readonly audit: AuditStore;
  readonly bins: BinTableStore;
  readonly callbacks: Pick<CallbackStore, 'search' | 'attempts' | 'replay'>;
  readonly cardNetworks: CardNetworkStore;
  readonly cardReferences: Pick<CardReferenceStore, 'find' | 'list' | 'remove'>;
  readonly configuration: ConfigurationStore;
  readonly counts: Pick<FigureCounts, 'countAgain'>;
  readonly deeds: WaitingDeedStore;
  readonly filters: SavedFilterStore;
  readonly door: Pick<Door, 'begin' | 'change' | 'moment'>;
  readonly figures: FigureStore;
  readonly ids: Pick<IdCounter, 'take'>;
  readonly looks: Pick<LookStore, 'logo' | 'set'>;
  readonly nodes: Pick<LivingNodes, 'list'>;
  readonly orders: Pick<OrderStore, 'findByIdempotencyKey' | 'findOrderView' | 'load'>;
  readonly records: RecordOffice;
  readonly recurring: RecurringStore;
  readonly rules: ScreeningRuleStore;
  readonly staff: PeopleStores;
  readonly terminals: TerminalStore;
  readonly timelines: TimelineStore;
  readonly unfinished: UnfinishedStore;
};

export type VerbParts = AdministrationStores & {
  /** Where people sign in. Only in a running gateway. */
  readonly adminOrigin?: (() => string) | undefined;
  /** Does some work once what is changed is committed. Only for verbs that change the database. */
  readonly afterwards?: ((work: () => void) => void) | undefined;
  /** The person who asks; undefined for the local command line. */
  readonly asker?: string | undefined;
  /** Who asks, as the audit chain names them. */
  readonly who?: string | undefined;
  /** The merchant whose people ask; undefined of those who run the gateway. */
  readonly merchantId?: number | undefined;
  /** Only in a running gateway. */
  readonly bank?: BankOffice | undefined;
  readonly clock: Clock;
  readonly connectors: readonly Connector[];
  /** Copies the embedded database's files into the data folder under this name. Only in a running gateway. */
  readonly copyDatabase?: ((name: string) => Promise<void>) | undefined;
  /** Writes a snapshot of this process's memory there. Only in a running gateway. */
  readonly writeHeap?: ((name: string) => Promise<void>) | undefined;
  dataKeyUse(): Promise<DataKeyUse[]>;
  /** The file of merchants that is under way. */
  readonly imports: ImportStage;
  readonly installation?: InstallationOffice | undefined;
  readonly instructions: InstructionStore;
  /** With which keys requests came. Only in a running gateway. */
  readonly keyUses?: (() => Promise<SeenUses>) | undefined;
  readonly leaseMs: number;
  readonly mode: 'sandbox' | 'production';
  readonly networkOffice: NetworkOffice;
  /** Only in a running gateway. */
  readonly money?: MoneyOffice | undefined;
  readonly rotation: KeyRotation;
  /** Only in a running sandbox. */
  readonly sandbox?: SandboxOffice | undefined;
  /** What this node does in the background for people. Only in a running gateway. */
  readonly runs?: Runs | undefined;
  /** Only in a running gateway. */
  readonly routeOffice?: RouteOffice | undefined;
  readonly digestRotation: DigestKeyRotation;
  /** Only in a running gateway. */
  readonly terminalOffice?: TerminalOffice | undefined;
  /** Only in a running sandbox. */
  readonly trial?: TrialOffice | undefined;
  readonly vault: Vault;
  readonly verification: VerificationStore;
  /** What verbs are called. */
  readonly verbNames?: ReadonlySet<string>;
  /** What an operation or a field can be called. */
  readonly vocabulary: { readonly operations: readonly string[]; readonly fields: readonly string[] };
};

/** Those of the parts that are named. */
export type Parts<Name extends keyof VerbParts> = Pick<VerbParts, Name>;
