export type PublicPage = `https://${string}`;

/** `content` and `credentials` are ours; `limits`: plan, rate, balance; `setup`: integration, sender, workflow; `nobody`: works as designed. */
export const RESPONSIBLE = [
  'recipient',
  'provider',
  'credentials',
  'content',
  'limits',
  'network',
  'setup',
  'nobody',
] as const;
export type Responsible = (typeof RESPONSIBLE)[number];

/** Whether resending can help: never, once the next step is done, or after this many minutes. */
export type Again = 'never' | 'once-fixed' | number;

/** What a known cause means and what to do about it. Every text is written by Notif or a team; `meaning` ends without a full stop. */
export interface CauseEntry {
  readonly meaning: string;
  readonly whose: Responsible;
  readonly again: Again;
  readonly next: string;
  /** A team's own entry may have none. */
  readonly source: PublicPage | null;
}

/** What an entry's codes are, which decides how much a match says. A team's entry can have any. */
export const CODE_KINDS = ['any', 'own', 'smtp', 'network', 'http'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

export interface KnownCause extends CauseEntry {
  /** The IDs of providers; empty: any. */
  readonly providers: readonly string[];
  /** The step's type; null: any. Not looked at where there are providers. */
  readonly channel: string | null;
  readonly kind: CodeKind;
  /** `value`, `field=value`, or `5.7.*` for the enhanced statuses of a subject that have no entry. */
  readonly codes: readonly string[];
  /** Words or phrases of which the text must contain one besides the code; empty for none. */
  readonly having: readonly string[];
  /** Whether many errors share the code, so that any matching text says more. */
  readonly broad: boolean;
  /** Phrases of two words or more. */
  readonly texts: readonly string[];
  readonly status: PublicPage | null;
}
