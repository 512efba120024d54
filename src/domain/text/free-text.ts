import { scrub } from './scrub.ts';

/**
 * A text that somebody outside wrote (`detail`, `raw`, `errorText`): it may hold a secret, a contact, a page of HTML or 100 kB.
 * There is no way to the original: every way out, `JSON.stringify` and template strings included, passes the scrubber.
 */
export class FreeText {
  readonly #original: string;
  #scrubbed: string | undefined;

  constructor(original: string) {
    this.#original = original;
  }

  /** The text without secrets, contacts and markup, at most `SCRUBBED_LENGTH` characters. */
  toString(): string {
    this.#scrubbed ??= scrub(this.#original);
    return this.#scrubbed;
  }

  toJSON(): string {
    return this.toString();
  }
}
