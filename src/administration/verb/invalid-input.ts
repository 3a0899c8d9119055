// What an administrator is told when something cannot be done: which inputs are wrong, what does not answer, who may do
// it, what was done before, or that it is too much at once.

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

/** The key of a request was used before, for another one or for one whose end is not known; the message says which. */
export class OtherThanBefore extends Error {
  override readonly name = 'OtherThanBefore';
}

/** Somebody asks faster than is answered; the message says what would be right. */
export class AskedTooMuch extends Error {
  override readonly name = 'AskedTooMuch';
}
