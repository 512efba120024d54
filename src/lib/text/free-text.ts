import { scrub } from './scrub.ts';

/** External text: everything, including `JSON.stringify` and template strings, passes the scrubber. */
export class FreeText {
  readonly #original: string;
  #scrubbed: string | undefined;

  constructor(original: string) {
    this.#original = original;
  }

  /** Returns the text without secrets, contacts and markup, at most `SCRUBBED_LENGTH` characters. */
  toString(): string {
    this.#scrubbed ??= scrub(this.#original);
    return this.#scrubbed;
  }

  toJSON(): string {
    return this.toString();
  }
}
