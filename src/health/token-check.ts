/** Slack's answer about a token. `clockAheadMs`: how far Slack's clock is ahead of ours; null if its response doesn't say. */
export type TokenCheck =
  | { readonly is: 'taken'; readonly scopes: readonly string[] | null; readonly clockAheadMs: number | null }
  /** Refused for good: `next` is what somebody has to do, without a capital or a full stop. */
  | { readonly is: 'refused'; readonly variable: string; readonly word: string; readonly next: string };

export interface TokenChecks {
  bot(): Promise<TokenCheck>;
  /** Null in HTTP mode, which needs none. */
  readonly app: (() => Promise<TokenCheck>) | null;
}
