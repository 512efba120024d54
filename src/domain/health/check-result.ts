/** What an examination of Notif's setup found of one matter. */
export interface CheckResult {
  /** What was looked at: 'Bot token', 'production: API key'. */
  readonly subject: string;
  readonly verdict: CheckVerdict;
  /** A sentence. */
  readonly what: string;
  /** Channels, ids and the like that it is about, behind the sentence. */
  readonly about: readonly Named[];
  /** What to do, in a sentence or two; null where nothing is to be done. */
  readonly next: string | null;
}

/** `advice`: it works, and could be better. `unknown`: it could not be looked at. */
export type CheckVerdict = 'problem' | 'unknown' | 'advice' | 'fine';

export interface Named {
  readonly kind: 'channel' | 'user-group' | 'word';
  readonly id: string;
}

const ORDER: readonly CheckVerdict[] = ['problem', 'unknown', 'advice', 'fine'];

/** What has to be fixed comes first. */
export function gravestFirst(results: readonly CheckResult[]): CheckResult[] {
  return results.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
}

export function fine(subject: string, what: string): CheckResult {
  return { subject, verdict: 'fine', what, about: [], next: null };
}

/** A finding after which something is to be done. */
export function checkResult(
  verdict: Exclude<CheckVerdict, 'fine'>,
  subject: string,
  { what, next, about = [] }: { readonly what: string; readonly next: string; readonly about?: readonly Named[] },
): CheckResult {
  return { subject, verdict, what, about, next };
}

/** '1 channel', '3 channels', '3 watches' */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
