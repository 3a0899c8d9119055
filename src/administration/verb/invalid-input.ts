// What an administrator is told when something cannot be done: which inputs are wrong, what does not answer, or who may
// do it.

/** Something given cannot be taken. The message is for the person who gave it and names every fault. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly #faults: readonly string[];

  constructor(...faults: readonly string[]) {
    super(faults.join('; '));
    this.#faults = faults;
  }

  /** One line for each thing that is wrong. */
  get faults(): readonly string[] {
    return this.#faults;
  }
}

/** Something the gateway needs for it does not answer; the message says what. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';
}

/** Somebody was authenticated who may not do it; the message says who may. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}
