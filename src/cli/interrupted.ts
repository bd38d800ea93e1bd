/** The user broke off: with a signal, or in the middle of a question. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  /** @param message what state things are in now. */
  constructor(message = 'Interrupted: nothing was written.') {
    super(message);
  }
}
