// How the simulated card networks misbehave, as data: one word per kind of message. It can be set while they run.

export const NETWORK_FAULTS = {
  /** The answers about card ranges and about enrolment in 1.0.2. */
  directory: ['none', 'no-answer', 'erro', 'garbage'],
  /** The ARes. `slow` answers after `delayMs`. */
  authentication: ['none', 'no-answer', 'slow', 'erro', 'unsupported-version', 'malformed', 'garbage', 'foreign-id'],
  /** The RReq. `late` sends it `delayMs` after the CRes; `contradicting` sends the opposite after the true one. */
  results: ['none', 'late', 'never', 'foreign-id', 'twice', 'contradicting'],
  /** The CRes. `tampered` says the opposite of the RReq. */
  challenge: ['none', 'tampered', 'foreign-id', 'malformed', 'erro'],
  /** The PARes of 1.0.2. `tampered` changes the status under the signature, `other-purchase` signs another xid. */
  pares: ['none', 'unsigned', 'tampered', 'foreign-signer', 'other-purchase', 'malformed'],
} as const;

type Words = typeof NETWORK_FAULTS;
export type FaultPlace = keyof Words;

export type NetworkFaults = { readonly [Place in FaultPlace]: Words[Place][number] } & {
  /** How late `slow` and `late` are. */
  readonly delayMs: number;
};

const DELAY_MS = 3_000;
const MAX_DELAY_MS = 600_000;

export const NO_NETWORK_FAULTS: NetworkFaults = {
  directory: 'none',
  authentication: 'none',
  results: 'none',
  challenge: 'none',
  pares: 'none',
  delayMs: DELAY_MS,
};

/** The faults in force. */
export class NetworkFaultPlan {
  #faults: NetworkFaults;

  constructor(faults: Partial<NetworkFaults> = {}) {
    this.#faults = { ...NO_NETWORK_FAULTS, ...faults };
  }

  get faults(): NetworkFaults {
    return this.#faults;
  }

  /** Puts these faults in force; kinds of messages that are not given have none. */
  set(faults: Partial<NetworkFaults>): void {
    this.#faults = { ...NO_NETWORK_FAULTS, ...faults };
  }
}

/** Why the value is not a set of faults; undefined when it is one. */
export function whyNotFaults(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'faults are an object';
  for (const [name, word] of Object.entries(value)) {
    if (name === 'delayMs') {
      if (!Number.isInteger(word) || word < 0 || word > MAX_DELAY_MS) return `delayMs is from 0 to ${MAX_DELAY_MS}`;
    } else if (!Object.hasOwn(NETWORK_FAULTS, name)) {
      return `there is no fault of ${name}: it is one of ${Object.keys(NETWORK_FAULTS).join(', ')} or delayMs`;
    } else if (!(NETWORK_FAULTS[name as FaultPlace] as readonly unknown[]).includes(word)) {
      return `${name} is one of ${NETWORK_FAULTS[name as FaultPlace].join(', ')}`;
    }
  }
  return undefined;
}
