import type { Work } from '../lib/pauses.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { type ExecutionDetail, isFinal, type Job } from '../service/event.ts';
import {
  bounceOf,
  isFailed,
  isReport,
  isSent,
  isSuccess,
  lacksAddress,
  says,
  sendsToSeveral,
  TELLS_ANSWER,
  tellingRankOf,
} from './detail-kinds.ts';
import { isOutcome, type ProviderTries, saying, type Try, triesByProvider, triesIn } from './tries.ts';
import type { Verdict } from './verdict.ts';

/** What became of a step at one provider. */
export interface Attempt {
  provider: string | null;
  verdict: Verdict;
  /** The detail that decided the verdict; null: the step's status did. */
  decisive: ExecutionDetail | null;
}

const VERDICT_BY_STATUS: Partial<Record<string, Verdict>> = {
  completed: 'delivered',
  merged: 'delivered',
  failed: 'failed',
  skipped: 'skipped-by-design',
  canceled: 'skipped-by-design',
};

/** An unsubscribe and a spam complaint prove that the message was delivered. */
const DELIVERED = new Set<Verdict>(['delivered', 'retried-then-fine', 'warning', 'unsubscribed', 'complained']);

/** Returns at least one attempt. Undeliverable ones are left out beside others. `isLate`: the service won't retry it any more. */
export function* attemptsOf(job: Job, isLate: boolean): Work<Attempt[]> {
  const details = yield* triesIn(job);
  const isContradicted = contradictsSent(job, details);
  const attempts: Attempt[] = [];
  for (const begun of yield* triesByProvider(job, details)) {
    const attempt = yield* attemptOf(job, begun, { isLate, isContradicted });
    if (attempt !== null) attempts.push(attempt);
  }
  const reached = attempts.filter(({ verdict }) => verdict !== 'undeliverable');
  if (reached.length === 0) return [attempts[0] ?? attemptByStatus(job)];
  if (!reached.some(isDelivered)) return reached;
  return reached.map((attempt) => (attempt.verdict === 'failed' ? { ...attempt, verdict: 'partly-failed' } : attempt));
}

export const isDelivered = ({ verdict }: { verdict: Verdict }): boolean => DELIVERED.has(verdict);

/** The attempt of a step of which no detail says what became of it. */
function attemptByStatus(job: Job): Attempt {
  const verdict = (isFinal(job) ? VERDICT_BY_STATUS[job.status] : undefined) ?? 'in-progress';
  const selected = job.details.findLast((detail) => detail.selected !== null)?.selected?.provider ?? null;
  // The provider that a step names was tried only if it ended, and nothing shows that none was selected.
  const mayBeTried = verdict === 'delivered' || (verdict === 'failed' && job.details.length === 0);
  return { provider: selected ?? (mayBeTried ? job.provider : null), verdict, decisive: null };
}

/** Whether a step failed or was canceled though its last outcome is no failure. Its status has the last word then, as nothing else says why. */
function contradictsSent(job: Job, details: readonly Try[]): boolean {
  if (!isFinal(job) || VERDICT_BY_STATUS[job.status] === 'delivered') return false;
  const last = details.findLast((detail) => isOutcome(detail) && !lacksAddress(detail, job));
  return last !== undefined && !isFailed(last);
}

interface Circumstances {
  isLate: boolean;
  /** The step ended otherwise after a message of it was sent. */
  isContradicted: boolean;
}

/** Nothing was selected then, though the step names the environment's first provider. */
const UNREACHED = new Set<Verdict>(['undeliverable', 'skipped-by-design', 'not-sent']);

/** Returns null if nothing has come of it yet. */
function* attemptOf(job: Job, begun: ProviderTries, circumstances: Circumstances): Work<Attempt | null> {
  const { provider, tries, rounds } = begun;
  const mayRetry = !isFinal(job) && !circumstances.isLate;
  const isAnySent = tries.some(isSent);
  const problems = problemsIn(job, tries, isAnySent).filter(({ isRetry }) => !(isRetry && mayRetry));
  if (problems.length === 0) return skippedAttempt(job, tries) ?? withoutProblem(job, begun, circumstances);
  const open = yield* openProblems(problems, tries, job);
  const decisive = yield* decisiveOf(open.length > 0 ? open : problems);
  const verdict = open.length === 0 ? 'retried-then-fine' : verdictOf(job, decisive, isAnySent);
  const isReached = rounds > 0 || !(UNREACHED.has(verdict) || says('beforeProvider', decisive));
  return { provider: isReached ? provider : null, verdict, decisive };
}

/** Preferences are told in a success. */
function skippedAttempt(job: Job, tries: readonly Try[]): Attempt | null {
  const decisive = job.status === 'completed' ? undefined : tries.findLast((detail) => says('skip', detail));
  return decisive === undefined ? null : { provider: null, verdict: 'skipped-by-design', decisive };
}

/** Judges an attempt at which nothing failed by its warnings and successes; null: they say nothing yet. */
function withoutProblem(
  job: Job,
  { provider, tries }: ProviderTries,
  { isContradicted }: Circumstances,
): Attempt | null {
  const warning = tries.findLast((detail) => detail.status === 'Warning' || says('lack', detail)) ?? null;
  const succeeded = tries.filter(isSuccess);
  const sent = succeeded.findLast(isSent);
  const isUnreached = warning !== null && lacksAddress(warning, job);
  const isOnlyWarned = warning?.status === 'Warning' && succeeded.length === 0;
  if (isOnlyWarned && (job.status === 'canceled' || isUnreached))
    return { provider: null, verdict: 'undeliverable', decisive: warning };
  const isDone = job.status === 'completed' || (isFinal(job) && sent !== undefined);
  if (!isDone || (warning === null && succeeded.length === 0)) return null;
  // What its provider reports is a better proof than the status.
  if (isContradicted && sent !== undefined && !succeeded.some(isReport)) {
    const sentence = new FreeText(`The service says that it was sent, then ${job.status} it`);
    const decisive = { ...saying(sentence, sent), raw: null };
    return { provider, verdict: VERDICT_BY_STATUS[job.status] ?? 'failed', decisive };
  }
  if (warning === null || isUnreached) return { provider, verdict: 'delivered', decisive: null };
  return { provider, verdict: 'warning', decisive: warning };
}

/**
 * What failed. What a message lacks counts only if the step failed, a missing address only where nothing else failed and
 * nothing was sent.
 */
function problemsIn(job: Job, tries: readonly Try[], isAnySent: boolean): readonly Try[] {
  const failed = tries.filter((detail) => isFailed(detail) && (job.status === 'failed' || !says('lack', detail)));
  const reached = failed.filter((detail) => !lacksAddress(detail, job));
  return reached.length > 0 || isAnySent ? reached : failed;
}

/** Problems that no success made good. */
function* openProblems(problems: readonly Try[], tries: readonly Try[], job: Job): Work<Try[]> {
  const isCompleted = job.status === 'completed';
  const isFollowed = yield* bySuccess(tries, job);
  const open: Try[] = [];
  for (const problem of problems) {
    yield;
    const isReported = isReport(problem);
    // A delivery makes a bounce good, but no complaint and no unsubscribe.
    const isForGood = isReported && bounceOf(problem) !== 'bounced';
    const isMadeGood = isFollowed(problem) || (isCompleted && problem.isRetry && !isReported);
    if (isForGood || !isMadeGood) open.push(problem);
  }
  return open;
}

/** Tells whether a success follows a problem: one of a later round, or one of the same round and later. */
function* bySuccess(tries: readonly Try[], job: Job): Work<(problem: Try) => boolean> {
  // By round: problems from before this time (in ms) are followed by a success.
  const ends = new Map<number, number>();
  const retriedRounds = new Set<number>();
  let lastRound = -1;
  for (const success of tries) {
    yield;
    const { round, isRetry, createdAt } = success;
    if (!isSuccess(success) || !(job.status === 'completed' || isReport(success))) continue;
    lastRound = Math.max(lastRound, round);
    // A step that sends to several devices can succeed at another device.
    if (sendsToSeveral(job) && !isRetry) continue;
    if (isRetry) retriedRounds.add(round);
    // A retry follows a problem of its own time, too, or of any if its time is unknown.
    const time = createdAt?.getTime() ?? (isRetry ? Infinity : -Infinity);
    ends.set(round, Math.max(isRetry ? time + 1 : time, ends.get(round) ?? -Infinity));
  }
  return ({ round, createdAt }: Try) => {
    if (lastRound > round) return true;
    return createdAt === null ? retriedRounds.has(round) : createdAt.getTime() < (ends.get(round) ?? -Infinity);
  };
}

/** A digest can fail for thousands of recipients, and scrubbing each reason is slow. */
const MOST_COMPARED = 50;

/** The problem that tells most of the reason, the newest of equal ones. */
function* decisiveOf(problems: readonly Try[]): Work<Try> {
  const ranked: { detail: Try; rank: number }[] = [];
  for (const detail of problems.slice(-MOST_COMPARED)) {
    yield;
    ranked.push({ detail, rank: tellingRankOf(detail) });
  }
  return ranked.reduce((best, other) => (other.rank >= best.rank ? other : best)).detail;
}

function verdictOf(job: Job, decisive: Try, isAnySent: boolean): Verdict {
  if (says('notSent', decisive)) return 'not-sent';
  if (says('skip', decisive) || job.status === 'skipped') return 'skipped-by-design';
  if (lacksAddress(decisive, job)) return 'undeliverable';
  if (job.status === 'canceled') {
    const isOurFault = says('noIntegration', decisive) || says('notTheRecipient', decisive);
    return isOurFault || tellingRankOf(decisive) === TELLS_ANSWER ? 'failed' : 'undeliverable';
  }
  if (job.status !== 'completed') return 'failed';
  if (isReport(decisive)) return bounceOf(decisive);
  return isAnySent && sendsToSeveral(job) ? 'partly-failed' : 'failed';
}
