// Lists of verdicts have the most severe first.

const ANNOUNCED_VERDICTS = ['failed', 'bounced', 'partly-failed', 'complained', 'stuck'] as const;
/** These are only counted, unless a watch's filter names them. */
const ON_REQUEST_VERDICTS = ['warning', 'unsubscribed'] as const;
export const WATCHED_VERDICTS = [...ANNOUNCED_VERDICTS, ...ON_REQUEST_VERDICTS] as const;
export const COUNTED_VERDICTS = [
  'undeliverable',
  ...ON_REQUEST_VERDICTS,
  'retried-then-fine',
  'not-sent',
  'skipped-by-design',
] as const;
export const RECORDED_VERDICTS = [...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS] as const;

type CountedVerdict = (typeof COUNTED_VERDICTS)[number];
export type RecordedVerdict = (typeof RECORDED_VERDICTS)[number];
export type Verdict = RecordedVerdict | 'delivered' | 'in-progress';

/** Such a verdict is only counted, and no watch's filter can name it. */
export function isNotAFailure(verdict: RecordedVerdict): boolean {
  return !WATCHED_VERDICTS.some((watched) => watched === verdict);
}

export function isAnnounced(verdict: RecordedVerdict): verdict is (typeof ANNOUNCED_VERDICTS)[number] {
  return ANNOUNCED_VERDICTS.some((announced) => announced === verdict);
}

export function isRecorded(verdict: Verdict): verdict is RecordedVerdict {
  return verdict !== 'delivered' && verdict !== 'in-progress';
}

/** What incidents are told apart by: verdicts that are announced share one class. */
export type VerdictClass = 'announced' | CountedVerdict;

/** Incidents of these begin, end and come back; others are only counted. */
export const CLASSES_WITH_OUTBREAKS: readonly VerdictClass[] = ['announced', ...ON_REQUEST_VERDICTS];

export const verdictClassOf = (verdict: RecordedVerdict): VerdictClass =>
  isAnnounced(verdict) ? 'announced' : verdict;

export type VerdictCounts = { [V in RecordedVerdict]?: number };

export function mostSevere(verdicts: readonly RecordedVerdict[]): RecordedVerdict {
  return RECORDED_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'failed';
}
