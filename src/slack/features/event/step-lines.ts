import { addMilliseconds } from 'date-fns';
import type { Attempts } from '../../../incidents/badness.ts';
import { causeOf } from '../../../judging/cause.ts';
import type { Failure } from '../../../judging/failure.ts';
import {
  failuresByStep,
  type JudgedEvent,
  type Judgment,
  type StepFailures,
  type StepJudgment,
} from '../../../judging/judge.ts';
import type { Verdict } from '../../../judging/verdict.ts';
import { boundedId, maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration, SECOND_MS } from '../../../lib/time/durations.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import { durationsOf, outcomeOf, stepTimes, waitMsOf } from '../../../lookups/outcome.ts';
import { channelName } from '../../../service/channels.ts';
import { isChannelType, isDelivery, isFinal, isMerged, type Job, type TriggeredEvent } from '../../../service/event.ts';
import { explanationLines, meaningLine } from '../../kit/explanation.ts';
import { providerName } from '../../kit/names.ts';
import { OUTCOME_EMOJI, outcomeWords } from '../../kit/outcomes.ts';
import { code, joined, type Line, listed, type Markup, mrkdwn, named, plural, present } from '../../kit/text.ts';
import { aheadWords, time, timeNear } from '../../kit/times.ts';
import { messageDelivery, messageOutcome } from './messages.ts';
import { conditionWords, REASONS, reasonOf, skipWords } from './step-reasons.ts';

/** Of a step's details, the newest are shown. */
const MOST_DETAILS = 3;
const SHOWN_STATUSES = new Set(['Failed', 'Warning', 'ReadConfirmation']);
/** No card has room for more. */
export const MOST_STEPS = 100;

/** What the card says of failures above its details. */
interface CardFailures {
  /** The failure that the card begins with: its cause and advice stand there. */
  decisive: Failure | undefined;
  /** How many attempts the failure's incident had; null without one. */
  attemptsOf: (failure: Failure) => Attempts | null;
}

export function detailLines(lookup: FoundEvent, onCard: CardFailures): Line[] {
  const { event, judgment, messages } = lookup;
  const failures = failuresByStep(judgment);
  return present([
    joined(traits(event)),
    ...judgment.steps.slice(0, MOST_STEPS).flatMap((step) => stepLines(step, failures, lookup, onCard)),
    messages.items.length > 0 && mrkdwn`*Messages*`,
    ...messages.items.map((message) => {
      const at = message.createdAt && timeNear(message.createdAt, event.createdAt, 'seconds');
      return joined([messageOutcome(message), at, ...messageDelivery(message)]);
    }),
    messages.hasMore && 'Some messages may be missing here.',
  ]);
}

function traits({ workflow, severity, critical, tags, topicKeys, id, createdAt }: TriggeredEvent): Line[] {
  const names = (label: string, all: readonly string[]) =>
    all.length > 0 && mrkdwn`${label} ${listed(all.map((name) => code(name)))}`;
  return [
    workflow && workflow.name !== workflow.identifier && mrkdwn`Workflow ${named(workflow.name)}`,
    severity && severity !== 'none' && mrkdwn`Severity ${named(severity)}`,
    critical && 'Critical',
    names('Tags', tags),
    names('Topics', topicKeys),
    id && mrkdwn`Event ${code(id)}`,
    mrkdwn`Received ${time(createdAt)}`,
  ];
}

function stepLines(
  step: StepJudgment,
  byStep: StepFailures,
  lookup: FoundEvent,
  { decisive, attemptsOf }: CardFailures,
): Markup[] {
  const { job } = step;
  const failures = byStep.get(boundedId(job.id)) ?? [];
  const explanations = failures.flatMap((failure) => {
    const cause = lookup.causes.get(failure);
    if (cause === undefined) return [];
    const attempts = attemptsOf(failure);
    return failure === decisive ? [meaningLine(cause, attempts)] : explanationLines(cause, attempts);
  });
  const lines = present([
    waitLine(job),
    step.verdict === 'skipped-by-design' && listed(job.conditions.map(conditionWords), ' · '),
    ...stepDetails(step, lookup, failures, decisive),
    ...explanations,
  ]);
  const { emoji, word } = stepOutcome(step, lookup);
  const head = mrkdwn`${emoji} *${stepName(step)}* — ${joined([word, stepTime(job, lookup.event)])}`;
  return [head, ...lines.map((line) => mrkdwn`      ${line}`)];
}

const isGoingWell = (verdict: Verdict) => verdict === 'delivered' || verdict === 'in-progress';

function stepTime(job: Job, { createdAt }: TriggeredEvent): Markup | null {
  const times = stepTimes(job);
  return times && timeNear(isFinal(job) ? times.last : times.began, createdAt, 'seconds');
}

/** A step that isn't a delivery shows its own status. */
export function stepOutcome(
  step: StepJudgment,
  { event }: Pick<JudgedEvent, 'event'>,
): { emoji: string; word: string } {
  const { job, verdict, failedBefore } = step;
  if (isMerged(job)) return { emoji: '⏭️', word: 'merged' };
  if (isGoingWell(verdict) && !isChannelType(job.type)) return { emoji: isFinal(job) ? '✅' : '⏳', word: job.status };
  const outcome = outcomeOf(event, step);
  const stopper = outcome === 'not-sent' ? failedBefore : null;
  const word = stopper ? `not sent: ${channelName(stopper.type)} failed` : outcomeWords(outcome);
  return { emoji: OUTCOME_EMOJI[outcome], word };
}

/** 'email · SendGrid (Shipping notice)'. A name that only says the channel, as 'Email Step', is left out. */
function stepName({ job: { type, stepName: name }, attempts }: StepJudgment): Markup {
  const providers = new Set(attempts.flatMap(({ provider }) => provider ?? []).map(providerName));
  const via = providers.size === 0 || !isChannelType(type) ? '' : ` · ${[...providers].join(', ')}`;
  const usualNames = [type, channelName(type)].map((known) => known.toLowerCase());
  const isUsual = name === null || usualNames.includes(name.toLowerCase().replace(/ step$/, ''));
  return named(`${channelName(type)}${via}${isUsual ? '' : ` (${maskedId(name)})`}`);
}

function stepDetails(
  step: StepJudgment,
  { event, judgment }: JudgedEvent,
  failures: readonly Failure[],
  decisive: Failure | undefined,
): Markup[] {
  const { job, verdict } = step;
  const structural = judgment.steps.filter((other) => !isDelivery(other.job));
  if (verdict === 'skipped-by-design') return [mrkdwn`${skipWords([step, ...structural])}`];
  const shown = job.details.filter(({ status }) => SHOWN_STATUSES.has(status)).slice(-MOST_DETAILS);
  if (shown.length === 0) {
    const reason = isGoingWell(verdict) ? null : unseenReason(verdict, judgment, failures, decisive);
    return reason === null ? [] : [mrkdwn`${reason}`];
  }
  const textOnCard = decisive && failures.includes(decisive) ? decisive.cause.text : null;
  return shown.map((detail) => {
    const words = detail.status === 'Failed' ? causeOf(detail).text : String(detail.detail);
    const at = timeNear(detail.createdAt, event.createdAt, 'seconds');
    const marks = [detail.isTest && 'test', detail.source.toLowerCase(), at];
    return mrkdwn`${detail.status}${words === textOnCard ? '' : mrkdwn`: ${words}`} (${joined(marks, ', ')})`;
  });
}

/** Why a step failed of which no detail says so; null if the card begins with it. */
function unseenReason(
  verdict: Verdict,
  judgment: Judgment,
  failures: readonly Failure[],
  decisive: Failure | undefined,
): string | null {
  // A verdict with a reason in `REASONS` needs none of the provider's; that of 'failed' says that there is none.
  const takesProvidersReason = verdict === 'failed' || REASONS[verdict] === undefined;
  const explained = takesProvidersReason ? failures.find((failed) => !failed.isUnexplained) : undefined;
  if (explained === undefined) return reasonOf(verdict, judgment);
  return explained === decisive ? null : explained.cause.text;
}

/** 'scheduled wait: 2 h, until 14:00 UTC · collected 3 events' */
export function waitLine(job: Job): Markup {
  const { ms = null, collected = null } = job.wait ?? {};
  const end = isFinal(job) ? null : endOf(job);
  const span = joined([ms !== null && describeDuration(ms), end && mrkdwn`until ${time(end)}`], ', ');
  const planned = ms === null && end === null ? null : mrkdwn`scheduled wait: ${span}`;
  return joined([planned, collected !== null && mrkdwn`collected ${plural(collected, 'event')}`]);
}

/** When a wait ends; null while earlier steps run, or if it was extended. */
function endOf(job: Job): Date | null {
  const { ms = null, until = null } = job.wait ?? {};
  if (job.scheduleExtensions > 0) return null;
  if (until !== null) return until;
  const times = stepTimes(job);
  return ms === null || times === null || job.status !== 'delayed' ? null : addMilliseconds(times.last, ms);
}

const MOST_IN_STORY = 10;

/** Below this, a duration says nothing. */
const WORTH_SAYING_MS = 10 * SECOND_MS;

/** 'received 12:00:00 → in-app ✅ 12:00:01 → email 🔴 12:00:05 (2 attempts)' */
export function storyLine({ event, judgment, aheadMs }: FoundEvent): Markup {
  const steps = judgment.steps.filter(({ job }) => job.type !== 'trigger');
  const moreSteps = steps.length - MOST_IN_STORY;
  const words = steps.slice(0, MOST_IN_STORY).map((step) => {
    const { job } = step;
    const retries = job.details.filter(({ isRetry }) => isRetry).length;
    const attempts = retries > 0 && mrkdwn`(${retries + 1} attempts)`;
    const { emoji } = stepOutcome(step, { event });
    return joined([named(channelName(job.type)), emoji, stepTime(job, event), attempts, waitedWords(job)], ' ');
  });
  const ahead = aheadMs && mrkdwn`(${aheadWords(aheadMs)})`;
  const received = joined([mrkdwn`received ${time(event.createdAt, 'seconds')}`, ahead], ' ');
  const story = joined([received, ...words, moreSteps > 0 && mrkdwn`${moreSteps} more`], ' → ');
  return joined([story, durationWords(event)]);
}

function waitedWords(job: Job): Markup | null {
  const waited = waitMsOf(job);
  if (waited === null || waited < SECOND_MS) return null;
  return mrkdwn`(${describeDuration(waited)} for a ${describeDuration(job.wait?.ms ?? waited)} wait)`;
}

function durationWords(event: TriggeredEvent): Markup | null {
  const durations = durationsOf(event);
  if (durations === null || durations.totalMs < WORTH_SAYING_MS) return null;
  const { totalMs, plannedMs } = durations;
  const planned = plannedMs >= SECOND_MS && mrkdwn`${describeDuration(plannedMs)} of it planned`;
  return joined([mrkdwn`${describeDuration(totalMs)} in all`, planned], ', ');
}
