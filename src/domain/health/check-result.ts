/** A result of checking one aspect of Notif's setup. */
export interface CheckResult {
  /** What was checked: 'Bot token', 'production: API key'. */
  readonly subject: string;
  readonly verdict: CheckVerdict;
  /** A sentence. */
  readonly what: string;
  /** Channels, IDs and the like that it concerns, appended to the sentence. */
  readonly about: readonly Concerned[];
  /** What to do, in a sentence or two; null if nothing. */
  readonly next: string | null;
}

/** `advice`: it works, but could be better. `unknown`: it couldn't be checked. */
export type CheckVerdict = 'problem' | 'unknown' | 'advice' | 'fine';

export interface Concerned {
  readonly kind: 'channel' | 'person' | 'user-group' | 'word';
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

/** Makes a result that requires action. */
export function checkResult(
  verdict: Exclude<CheckVerdict, 'fine'>,
  subject: string,
  { what, next, about = [] }: { readonly what: string; readonly next: string; readonly about?: readonly Concerned[] },
): CheckResult {
  return { subject, verdict, what, about, next };
}

/** '1 channel', '3 channels', '3 watches' */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
