/** Field notes, "What a failure is". */
export type Verdict =
  | 'delivered'
  | 'failed'
  | 'partly-failed'
  | 'bounced'
  | 'undeliverable'
  | 'skipped-by-design'
  | 'retried-then-fine'
  | 'in-progress'
  | 'stuck'
  | 'warning';

export type FailureVerdict = Extract<
  Verdict,
  | 'failed'
  | 'partly-failed'
  | 'bounced'
  | 'stuck'
  | 'undeliverable'
  | 'skipped-by-design'
  | 'retried-then-fine'
  | 'warning'
>;

/** Failures that open an incident and notify; the others are only counted. */
export const ANNOUNCED_VERDICTS = [
  'failed',
  'partly-failed',
  'bounced',
  'stuck',
] as const satisfies readonly FailureVerdict[];
export const COUNTED_VERDICTS = [
  'undeliverable',
  'skipped-by-design',
  'retried-then-fine',
  'warning',
] as const satisfies readonly FailureVerdict[];

export const WATCHED_VERDICTS = [...ANNOUNCED_VERDICTS, 'warning'] as const satisfies readonly FailureVerdict[];

export type AnnouncedVerdict = (typeof ANNOUNCED_VERDICTS)[number];
export type CountedVerdict = (typeof COUNTED_VERDICTS)[number];

export function isAnnounced(verdict: FailureVerdict): verdict is AnnouncedVerdict {
  return (ANNOUNCED_VERDICTS as readonly FailureVerdict[]).includes(verdict);
}

export const VERDICT_WORDS: { readonly [V in Verdict]: string } = {
  delivered: 'delivered',
  failed: 'failed',
  'partly-failed': 'partly failed',
  bounced: 'bounced',
  undeliverable: 'undeliverable',
  'skipped-by-design': 'skipped by design',
  'retried-then-fine': 'succeeded on retry',
  'in-progress': 'in progress',
  stuck: 'stuck',
  warning: 'warning',
};
