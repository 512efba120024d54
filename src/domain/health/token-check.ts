/** What Slack says of a token. `clockAheadMs`: how far Slack's clock is ahead of ours; null where its answer does not say. */
export type TokenCheck =
  | { readonly is: 'taken'; readonly scopes: readonly string[] | null; readonly clockAheadMs: number | null }
  /** For good: `next` is what somebody has to do, without a capital or a full stop. */
  | { readonly is: 'refused'; readonly variable: string; readonly word: string; readonly next: string };

/** Asks Slack of the tokens that Notif has. Each rejects where Slack can't be asked. */
export interface TokenChecks {
  bot(): Promise<TokenCheck>;
  /** Null in HTTP mode, which has none. */
  readonly app: (() => Promise<TokenCheck>) | null;
}
