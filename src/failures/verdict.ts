// Each list has the most severe first.
const ANNOUNCED_VERDICTS = ['failed', 'bounced', 'partly-failed', 'complained', 'stuck'] as const;
/** Only counted, unless a watch's filter names them. */
export const ON_REQUEST_VERDICTS = ['warning', 'unsubscribed'] as const;
export const WATCHED_VERDICTS = [...ANNOUNCED_VERDICTS, ...ON_REQUEST_VERDICTS] as const;
export const COUNTED_VERDICTS = [
  'undeliverable',
  ...ON_REQUEST_VERDICTS,
  'retried-then-fine',
  'not-sent',
  'skipped-by-design',
] as const;
export const FAILURE_VERDICTS = [...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS] as const;

export type CountedVerdict = (typeof COUNTED_VERDICTS)[number];
export type FailureVerdict = (typeof FAILURE_VERDICTS)[number];
export type Verdict = FailureVerdict | 'delivered' | 'in-progress';

/** Only counted, and no watch's filter can name it. */
export function isNotAFailure(verdict: FailureVerdict) {
  return !WATCHED_VERDICTS.some((watched) => watched === verdict);
}

export function isAnnounced(verdict: FailureVerdict): verdict is (typeof ANNOUNCED_VERDICTS)[number] {
  return ANNOUNCED_VERDICTS.some((announced) => announced === verdict);
}

export function isFailureVerdict(verdict: Verdict): verdict is FailureVerdict {
  return verdict !== 'delivered' && verdict !== 'in-progress';
}
