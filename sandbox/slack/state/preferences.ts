/** What administrators have set for the workspace; initially nothing. */
export class Preferences {
  readonly #readOnly = new Set<string>();
  /** How long a message can be edited, in milliseconds. */
  editWindowMs = Number.POSITIVE_INFINITY;

  /** Lets only administrators, and so not the bot, post in this channel. */
  makeReadOnly(channel: string): void {
    this.#readOnly.add(channel);
  }

  isReadOnly(channel: string): boolean {
    return this.#readOnly.has(channel);
  }
}
