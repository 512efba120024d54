import { compareAsc } from 'date-fns';
import { FreeText } from '../lib/text/scrub.ts';
import { type ExecutionDetail, isFinal, type Job } from '../service/event.ts';
import { reasonIn, saysNothing } from './reason.ts';
import sentences from './sentences.json' with { type: 'json' };
import type { Verdict } from './verdict.ts';

export interface Attempt {
  provider: string | null;
  verdict: Verdict;
  decisive: ExecutionDetail | null;
}

/** Returns at least one attempt. A late job isn't retried. */
export function attemptsOf(job: Job, isLate: boolean): Attempt[] {
  const begun = triesOf(job);
  const attempts = begun.flatMap((details) => attemptOf(job, details, isLate) ?? []);
  const [unreached] = attempts;
  const reached = attempts.filter(({ verdict }) => verdict !== 'undeliverable');
  const hasDelivery = reached.some(isDelivered);
  if (reached.length > 0)
    return reached.map((attempt) =>
      hasDelivery && attempt.verdict === 'failed' ? { ...attempt, verdict: 'partly-failed' } : attempt,
    );
  if (unreached !== undefined) return [unreached];
  const verdict = (isFinal(job) ? VERDICT_BY_STATUS[job.status] : undefined) ?? 'in-progress';
  return [{ provider: begun.at(-1)?.provider ?? job.provider, verdict, decisive: null }];
}

export const isDelivered = ({ verdict }: { verdict: Verdict }) => DELIVERED.has(verdict);

/** An unsubscribe and a spam complaint prove that the message was delivered. */
const DELIVERED = new Set<Verdict>(['delivered', 'retried-then-fine', 'warning', 'unsubscribed', 'complained']);

const VERDICT_BY_STATUS: Partial<Record<string, Verdict>> = {
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
  identifier: string | null;
  rounds: number;
  tries: Try[];
}

/** Without a selection, each detail belongs to the provider that it names. */
function triesOf(job: Job) {
  const all: Tries[] = [];
  const outcomes = inOrder(job.details).filter(({ selected, status }) => selected !== null || SAYS_OUTCOME.has(status));
  const isExplained = outcomes.some((detail) => isFailed(detail) && !isAside(detail));
  const details = outcomes.filter((detail) => !(isExplained && isAside(detail)));
  const first = details.find(({ selected }) => selected !== null);
  // A provider is selected for an empty list of device tokens, too.
  const hasMessage = job.details.some((detail) => says('made', detail));
  const lacksToken = job.type === 'push' && first !== undefined && !hasMessage;
  const named = job.provider ?? details.find(({ provider }) => provider !== null)?.provider ?? null;
  let place = { provider: named, identifier: null as string | null };
  // Details before the first selection belong to it.
  for (const detail of first === undefined ? details : [first, ...details.filter((other) => other !== first)]) {
    const { selected } = detail;
    if (selected !== null) place = selected;
    else if (first === undefined) place = { ...place, provider: detail.provider ?? job.provider ?? place.provider };
    const known = all.find((tries) => tries.provider === place.provider && tries.identifier === place.identifier);
    const tries = known ?? { ...place, rounds: 0, tries: [] };
    if (known === undefined) all.push(tries);
    const corrected = lacksToken && says('summary', detail) ? { ...detail, detail: NO_TOKEN } : detail;
    if (selected === null) tries.tries.push({ ...corrected, round: tries.rounds });
    else tries.rounds += 1;
  }
  return all;
}

const SAYS_OUTCOME = new Set(['Failed', 'Warning', 'Success']);

function inOrder(details: readonly ExecutionDetail[]) {
  if (details.some(({ createdAt }) => createdAt === null)) return details;
  return details.toSorted((a, b) => compareAsc(a.createdAt ?? 0, b.createdAt ?? 0));
}

function attemptOf(job: Job, { provider, tries, rounds }: Tries, isLate: boolean): Attempt | null {
  const mayRetry = !isFinal(job) && !isLate;
  const isAnySent = tries.some(isSent);
  const problems = problemsIn(job, tries, isAnySent).filter(({ isRetry }) => !(isRetry && mayRetry));
  if (problems.length === 0) return withoutProblem(job, provider, tries);
  const open = problems.filter((problem) => !isOvercome(problem, tries, job));
  const decisive = decisiveOf(open.length > 0 ? open : problems);
  const verdict = open.length === 0 ? 'retried-then-fine' : verdictOf(job, decisive, isAnySent);
  const isReached = rounds > 0 || !(verdict === 'undeliverable' || decisive.namesIntegration);
  return { provider: isReached ? provider : null, verdict, decisive };
}

function verdictOf(job: Job, decisive: ExecutionDetail, isAnySent: boolean): Verdict {
  if (says('notSent', decisive)) return 'not-sent';
  if (says('skip', decisive) || job.status === 'skipped') return 'skipped-by-design';
  if (lacksAddress(decisive, job)) return 'undeliverable';
  const isOurFault = says('noIntegration', decisive) || says('notTheRecipient', decisive);
  if (job.status === 'canceled') return isOurFault || rankOf(decisive) === ANSWER ? 'failed' : 'undeliverable';
  if (job.status !== 'completed') return 'failed';
  if (isReport(decisive)) return bounceOf(decisive);
  return isAnySent && sendsToSeveral(job) ? 'partly-failed' : 'failed';
}

function withoutProblem(job: Job, provider: string | null, tries: readonly Try[]): Attempt | null {
  const warning = tries.findLast((detail) => detail.status === 'Warning' || says('lack', detail)) ?? null;
  const succeeded = tries.filter(isSuccess);
  const isUnreached = warning !== null && lacksAddress(warning, job);
  if (warning?.status === 'Warning' && succeeded.length === 0 && (job.status === 'canceled' || isUnreached))
    return { provider: null, verdict: 'undeliverable', decisive: warning };
  const isDone = job.status === 'completed' || (isFinal(job) && succeeded.some(isSent));
  if (!isDone || (warning === null && succeeded.length === 0)) return null;
  if (warning === null || isUnreached) return { provider, verdict: 'delivered', decisive: null };
  return { provider, verdict: 'warning', decisive: warning };
}

function problemsIn(job: Job, tries: readonly Try[], isAnySent: boolean) {
  const failed = tries.filter((detail) => isFailed(detail) && (job.status === 'failed' || !says('lack', detail)));
  const reached = failed.filter((detail) => !lacksAddress(detail, job));
  return reached.length > 0 || isAnySent ? reached : failed;
}

/** The service calls complaints of some providers a success. */
const isFailed = (detail: ExecutionDetail) =>
  detail.status === 'Failed' || (isReport(detail) && bounceOf({ ...detail, raw: null }) === 'complained');

const isSuccess = ({ status }: ExecutionDetail) => status === 'Success';

/** Such a detail came later, by a webhook. An analytics store gives it another source. */
export const isReport = (detail: ExecutionDetail) => detail.source === 'Webhook' || says('report', detail);

/** A preparation that succeeded isn't a delivery. */
const isSent = (detail: ExecutionDetail) => isSuccess(detail) && (says('sent', detail) || isReport(detail));

function isOvercome(problem: Try, tries: readonly Try[], job: Job) {
  const isBounce = isReport(problem);
  if (isBounce && bounceOf(problem) !== 'bounced') return false;
  const isCompleted = job.status === 'completed';
  if (isCompleted && !isBounce && problem.isRetry) return true;
  return tries.some((success) => {
    if (!isSuccess(success) || !(isCompleted || isReport(success))) return false;
    // A step that sends to several devices can succeed at another device.
    const isOfAnother = sendsToSeveral(job) && !success.isRetry && success.round === problem.round;
    return isLater(success, problem) && !isOfAnother;
  });
}

function isLater(success: Try, problem: Try) {
  if (success.round !== problem.round) return success.round > problem.round;
  const [succeededAt, failedAt] = [success.createdAt?.getTime(), problem.createdAt?.getTime()];
  if (succeededAt === undefined || failedAt === undefined || succeededAt === failedAt) return success.isRetry;
  return succeededAt > failedAt;
}

/** A digest can fail for thousands of recipients, and scrubbing each reason is slow. */
const MOST_COMPARED = 50;

function decisiveOf(problems: readonly Try[]) {
  const ranked = problems.slice(-MOST_COMPARED).map((detail) => ({ detail, rank: rankOf(detail) }));
  return ranked.reduce((best, other) => (other.rank >= best.rank ? other : best)).detail;
}

const ANSWER = 3;

/** A provider's answer ranks highest, a sentence that says nothing lowest. */
function rankOf(detail: ExecutionDetail) {
  const { sentence, code } = reasonIn(String(detail.raw ?? ''));
  if (code !== null || (sentence !== null && !saysNothing(sentence))) return ANSWER;
  return saysNothing(sentenceOf(detail)) ? 1 : 2;
}

const SENTENCES = new Map(Object.entries(sentences).map(([kind, known]) => [kind, RegExp(known.join('|'))]));

const says = (kind: keyof typeof sentences, detail: ExecutionDetail) =>
  SENTENCES.get(kind)?.test(sentenceOf(detail)) ?? false;

/** Such a detail sums up a step, or names what its message lacks. */
const isAside = (detail: ExecutionDetail) => says('summary', detail) || says('lack', detail);

function sentenceOf({ detail }: ExecutionDetail) {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}

const sendsToSeveral = ({ type }: Job) => type === 'push' || type === 'chat';

const NO_TOKEN = new FreeText('No device token is left');

/** An email or SMS without an active integration is the environment's fault, not the subscriber's. */
function lacksAddress(detail: ExecutionDetail, job: Job) {
  if (says('noIntegration', detail))
    return detail.status === 'Warning' || (sendsToSeveral(job) && !detail.namesIntegration);
  return says('noAddress', detail);
}

const UNSUBSCRIBED = /^(?:group[ _-]?)?(?:un-?subscribed?|list[ _-]?unsubscribe|subscription[ _-]?change)$/;
const COMPLAINED = /^(?:spam|spam[ _-]?reports?|spam[ _-]?complaints?|complain(?:t|ed)|abuse)$/;
const WEBHOOK_STATUS = / - \(([\w -]{1,40})\)$/;
const WEBHOOK_EVENT =
  /"(?:event|event[_-]?type|notification[_-]?type|record[_-]?type|type|status)"\s?:\s?"([\w -]{1,40})"/gi;
const LONGEST_READ = 8_000;

function bounceOf(detail: ExecutionDetail): 'unsubscribed' | 'complained' | 'bounced' {
  const sentence = sentenceOf(detail).replace(/^message /, '');
  const raw = String(detail.raw ?? '').slice(0, LONGEST_READ);
  const events = [...raw.matchAll(WEBHOOK_EVENT)].map(([, event = '']) => event);
  const all = [sentence, WEBHOOK_STATUS.exec(sentence)?.[1] ?? '', ...events].map((word) => word.trim().toLowerCase());
  if (all.some((word) => COMPLAINED.test(word))) return 'complained';
  return all.some((word) => UNSUBSCRIBED.test(word)) ? 'unsubscribed' : 'bounced';
}
