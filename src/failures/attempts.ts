import { compareAsc } from 'date-fns';
import { type ExecutionDetail, isFinal, type Job } from '../service/event.ts';
import { reasonIn, saysNothing } from './reason.ts';
import {
  bounceOf,
  isNotRecipientFault,
  isSkip,
  isSummary,
  lacksAddress,
  sendsToSeveral,
  sentenceOf,
} from './sentences.ts';
import type { Verdict } from './verdict.ts';

export interface Attempt {
  provider: string | null;
  verdict: Verdict;
  decisive: ExecutionDetail | null;
}

/** At least one. `isLate`: the time for retries is over. */
export function attemptsOf(job: Job, isLate: boolean): Attempt[] {
  const begun = triesOf(job);
  const attempts = begun.flatMap((details) => attemptOf(job, details, isLate) ?? []);
  const [unreached] = attempts;
  const reached = attempts.filter(({ verdict }) => verdict !== 'undeliverable');
  const isPart = reached.some(isDelivered);
  if (reached.length > 0)
    return reached.map((attempt) =>
      isPart && attempt.verdict === 'failed' ? { ...attempt, verdict: 'partly-failed' } : attempt,
    );
  if (unreached !== undefined) return [unreached];
  const verdict = (isFinal(job) ? VERDICT_BY_STATUS[job.status] : undefined) ?? 'in-progress';
  return [{ provider: begun.at(-1)?.provider ?? job.provider, verdict, decisive: null }];
}

export function isDelivered({ verdict }: { verdict: Verdict }): boolean {
  return DELIVERED.has(verdict);
}

const DELIVERED: ReadonlySet<Verdict> = new Set([
  'delivered',
  'retried-then-fine',
  'warning',
  'unsubscribed',
  'complained',
]);

const VERDICT_BY_STATUS: Readonly<Partial<Record<string, Verdict>>> = {
  completed: 'delivered',
  merged: 'delivered',
  failed: 'failed',
  skipped: 'skipped-by-design',
  canceled: 'skipped-by-design',
};

interface Try extends ExecutionDetail {
  /** How often its provider was selected before: a detail after another selection is a retry. */
  round: number;
}

interface Tries {
  provider: string | null;
  integration: string | null;
  rounds: number;
  tries: Try[];
}

/** Details before the first selection belong to it. Without a selection, each belongs to the provider that it names. */
function triesOf(job: Job): Tries[] {
  const all: Tries[] = [];
  const isSelecting = job.details.some(({ selected }) => selected !== null);
  let current: Tries | undefined;
  let unnamed: ExecutionDetail[] = [];
  for (const detail of inOrder(job.details)) {
    const named = isSelecting ? null : (detail.provider ?? job.provider);
    if (detail.selected !== null) current = triesAt(all, detail.selected.provider, detail.selected.identifier);
    else if (!SAYS_OUTCOME.has(detail.status)) continue;
    else if (named !== null && named !== current?.provider) current = triesAt(all, named, null);
    if (detail.selected !== null && current !== undefined) current.rounds += 1;
    if (detail.selected === null) unnamed.push(detail);
    if (current === undefined) continue;
    for (const said of unnamed) current.tries.push({ ...said, round: current.rounds });
    unnamed = [];
  }
  if (unnamed.length === 0) return all;
  const rest = unnamed.map((detail) => ({ ...detail, round: 0 }));
  return [...all, { provider: job.provider, integration: null, rounds: 0, tries: rest }];
}

function triesAt(all: Tries[], provider: string | null, integration: string | null): Tries {
  const known = all.find((tries) => tries.provider === provider && tries.integration === integration);
  if (known !== undefined) return known;
  const begun: Tries = { provider, integration, rounds: 0, tries: [] };
  all.push(begun);
  return begun;
}

const SAYS_OUTCOME = new Set(['Failed', 'Warning', 'Success']);

function inOrder(details: readonly ExecutionDetail[]): readonly ExecutionDetail[] {
  if (details.some(({ createdAt }) => createdAt === null)) return details;
  return details.toSorted((a, b) => compareAsc(a.createdAt ?? 0, b.createdAt ?? 0));
}

function attemptOf(job: Job, { provider, tries, rounds }: Tries, isLate: boolean): Attempt | null {
  const mayRetry = !isFinal(job) && !isLate;
  const sent = tries.filter(isSent);
  const problems = problemsIn(job, tries, sent.length > 0).filter(({ isRetry }) => !(isRetry && mayRetry));
  if (problems.length === 0) return withoutProblem(job, provider, tries);
  const open = problems.filter((problem) => !isEnded(problem, tries, job));
  const decisive = decisiveOf(open.length > 0 ? open : problems);
  const verdict = open.length === 0 ? 'retried-then-fine' : verdictOf(job, decisive, sent.length > 0);
  const isReached = rounds > 0 || !(verdict === 'undeliverable' || decisive.namesIntegration);
  return { provider: isReached ? provider : null, verdict, decisive };
}

function verdictOf(job: Job, decisive: ExecutionDetail, isAnySent: boolean): Verdict {
  if (isSkip(decisive) || job.status === 'skipped') return 'skipped-by-design';
  if (lacksAddress(decisive, job)) return 'undeliverable';
  if (job.status === 'canceled')
    return isNotRecipientFault(decisive) || saysMost(decisive) === ANSWER ? 'failed' : 'undeliverable';
  if (job.status !== 'completed') return 'failed';
  if (decisive.source === 'Webhook') return bounceOf(decisive);
  return isAnySent && sendsToSeveral(job) ? 'partly-failed' : 'failed';
}

function withoutProblem(job: Job, provider: string | null, tries: readonly Try[]): Attempt | null {
  const warning = tries.findLast(({ status }) => status === 'Warning') ?? null;
  const succeeded = tries.filter(isSuccess);
  if (warning !== null && succeeded.length === 0 && (job.status === 'canceled' || lacksAddress(warning, job)))
    return { provider: null, verdict: 'undeliverable', decisive: warning };
  const isDone = job.status === 'completed' || (isFinal(job) && succeeded.some(isSent));
  if (!isDone || (warning === null && succeeded.length === 0)) return null;
  return { provider, verdict: warning === null ? 'delivered' : 'warning', decisive: warning };
}

function problemsIn(job: Job, tries: readonly Try[], isAnySent: boolean): readonly Try[] {
  const failed = tries.filter(({ status }) => status === 'Failed');
  const telling = failed.filter((detail) => !isSummary(detail));
  const said = telling.length > 0 ? telling : failed;
  const reached = said.filter((detail) => !lacksAddress(detail, job));
  return reached.length > 0 || isAnySent ? reached : said;
}

function isSuccess({ status }: ExecutionDetail): boolean {
  return status === 'Success';
}

/** A preparation that succeeded isn't a delivery. */
function isSent(detail: ExecutionDetail): boolean {
  return isSuccess(detail) && (/^message sent\b/.test(sentenceOf(detail)) || detail.source === 'Webhook');
}

function isEnded(problem: Try, tries: readonly Try[], job: Job): boolean {
  const isBounce = problem.source === 'Webhook';
  if (isBounce && bounceOf(problem) !== 'bounced') return false;
  const isCompleted = job.status === 'completed';
  if (isCompleted && !isBounce && problem.isRetry) return true;
  return tries.some((success) => {
    if (!isSuccess(success) || !(isCompleted || success.source === 'Webhook')) return false;
    // A step that sends to several devices can succeed at another device.
    const isOfAnother = sendsToSeveral(job) && !success.isRetry && success.round === problem.round;
    return isLater(success, problem) && !isOfAnother;
  });
}

function isLater(success: Try, problem: Try): boolean {
  if (success.round !== problem.round) return success.round > problem.round;
  const [succeededAt, failedAt] = [success.createdAt?.getTime(), problem.createdAt?.getTime()];
  if (succeededAt === undefined || failedAt === undefined || succeededAt === failedAt) return success.isRetry;
  return succeededAt > failedAt;
}

/** A digest can fail for thousands of recipients, and scrubbing each reason is slow. */
const MOST_COMPARED = 50;

function decisiveOf(problems: readonly Try[]): ExecutionDetail {
  const [first, ...others] = problems.slice(-MOST_COMPARED).map((detail) => ({ detail, rank: saysMost(detail) }));
  if (first === undefined) throw new Error('an attempt without a problem has no decisive detail');
  return others.reduce((best, other) => (other.rank >= best.rank ? other : best), first).detail;
}

const ANSWER = 3;

/** Provider's answer > sentence of the service > summary. */
function saysMost(detail: ExecutionDetail): number {
  const { sentence, code } = reasonIn(String(detail.raw ?? ''));
  if (code !== null || (sentence !== null && !saysNothing(sentence))) return ANSWER;
  if (isSummary(detail)) return 0;
  return saysNothing(sentenceOf(detail)) ? 1 : 2;
}
