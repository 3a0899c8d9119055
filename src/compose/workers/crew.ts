// What a worker, one of several processes behind the same port, has from those beside it. Each is a whole node with a
// door and connections of its own; one of them, the lead, also serves administrators.

import type { ToldUses } from '../../processing/requests/key-uses.ts';
import type { Figures } from '../../telemetry/summed-figures.ts';

/** What workers tell each other, by topic. */
export type CrewAnswers = {
  /** What each has counted and measured, also of those that have ended. */
  readonly figures: Figures;
  /** With which keys requests came to each. */
  readonly keyUses: ToldUses;
};

export type CrewTopic = keyof CrewAnswers;

export type Crew = {
  readonly isLead: boolean;
  /** The token of the local command line: the same for a lead and for the one that follows it. */
  readonly adminToken: string;
  /** Answers others with this from now on. */
  answers<Topic extends CrewTopic>(topic: Topic, answer: () => CrewAnswers[Topic] | Promise<CrewAnswers[Topic]>): void;
  /** Asks all workers, this one too. One that does not answer soon is left out. */
  ask<Topic extends CrewTopic>(topic: Topic): Promise<readonly CrewAnswers[Topic][]>;
};
