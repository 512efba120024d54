/** What administrators have set for the workspace; nothing is at first. */
export class Preferences {
  readonly #readOnly = new Set<string>();
  /** For how long a message may be changed, in milliseconds. */
  editWindowMs = Number.POSITIVE_INFINITY;

  /** From now on only administrators post in this channel; the bot is none. */
  makeReadOnly(channel: string): void {
    this.#readOnly.add(channel);
  }

  isReadOnly(channel: string): boolean {
    return this.#readOnly.has(channel);
  }
}
