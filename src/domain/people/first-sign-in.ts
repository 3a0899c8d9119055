// Who can sign in to a gateway that has just started, and what its terminal says about it. A sandbox makes its own
// administrator; everywhere else, and as soon as somebody has made a person by hand, people are made by command.

/** What is known of a person when a gateway starts. */
export type KnownPerson = {
  /** Whether a sandbox made them at its first start, and nobody by hand. */
  readonly isDemo: boolean;
  readonly enabled: boolean;
  /** Whether they have a password or a passkey. */
  readonly hasWayIn: boolean;
};

/**
 * `add` and `renew`: the demo's administrator gets a new link. `nobody`: nobody is there. `waiting`: the administrator
 * has chosen no way in yet. `chosen`: they have. `others`: people know how they sign in.
 */
export type FirstStep = 'add' | 'renew' | 'nobody' | 'waiting' | 'chosen' | 'others';

/** `mayInvite`: it is a sandbox, and a terminal shows what it says. */
export function firstStep(people: readonly KnownPerson[], mayInvite: boolean): FirstStep {
  const [first, ...rest] = people;
  if (!first) return mayInvite ? 'add' : 'nobody';
  if (rest.length > 0 || !first.isDemo || !first.enabled) return 'others';
  if (first.hasWayIn) return 'chosen';
  return mayInvite ? 'renew' : 'waiting';
}
