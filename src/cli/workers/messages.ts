// What the process that started the workers and a worker say to each other. They are of the same version at first, and
// of neighbouring ones while a new version is brought in by restarting one worker after the other.

import type { CrewTopic, HowToClose, Settings } from '../../compose/index.ts';

/** What a worker does not find out by itself. */
export type Begin = {
  /** Its number, from 1. The first is the lead. */
  readonly worker: number;
  readonly workers: number;
  /** A worker of another version must not begin: it takes the place of one that died. */
  readonly onlyVersion?: string | undefined;
  readonly adminToken: string;
  /** What was settled for all of them: ports, and what they share. */
  readonly settings: Pick<Settings, 'port' | 'adminPort' | 'bankUrl' | 'networksUrl'>;
};

export type ToWorker =
  | ({ readonly kind: 'begin' } & Begin)
  /** All of them are ready: the lead says where the gateway is. */
  | { readonly kind: 'announce' }
  | ({ readonly kind: 'stop' } & HowToClose)
  | { readonly kind: 'question'; readonly id: number; readonly topic: CrewTopic }
  | { readonly kind: 'answers'; readonly id: number; readonly answers: readonly unknown[] };

export type FromWorker =
  /** It listens; what is said before would be lost. */
  | { readonly kind: 'here' }
  | { readonly kind: 'ready'; readonly version?: string }
  | { readonly kind: 'ask'; readonly id: number; readonly topic: CrewTopic }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  /** Its last figures; nothing is counted any more. */
  | { readonly kind: 'ended'; readonly figures: unknown };
