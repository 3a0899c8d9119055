// What is wrong with a place that heads of the audit chain should be sent to.

export class InvalidPlace extends Error {
  override readonly name = 'InvalidPlace';
}
