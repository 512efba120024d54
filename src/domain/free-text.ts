import { scrub, scrubInFull } from './scrub.ts';
import { paced } from './steps.ts';

/**
 * A text that somebody outside wrote (`detail`, `raw`, `errorText`): it may hold a secret, a contact, a page of HTML or 100 kB.
 * There is no way to the original: every way out, `JSON.stringify` and template strings included, passes the scrubber.
 */
export class FreeText {
  readonly #original: string;
  #scrubbed: string | undefined;
  #inFull: string | undefined;

  constructor(original: string) {
    this.#original = original;
  }

  /** The text without secrets, contacts and markup, at most `SCRUBBED_LENGTH` characters. */
  toString(): string {
    this.#scrubbed ??= scrub(this.#original);
    return this.#scrubbed;
  }

  /** The same of up to 50,000 characters, for whoever asked to see it all; with a `pause` between the steps of the work. */
  async inFull(pause: () => Promise<unknown>): Promise<string> {
    this.#inFull ??= await paced(scrubInFull(this.#original), pause);
    return this.#inFull;
  }

  toJSON(): string {
    return this.toString();
  }
}
