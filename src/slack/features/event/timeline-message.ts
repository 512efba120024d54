import type { SectionBlock } from '@slack/types';
import { addMilliseconds } from 'date-fns';
import { causeOf } from '../../../failures/cause.ts';
import type { StepJudgement } from '../../../failures/judge.ts';
import { isStoppedByFailure, REASONS } from '../../../failures/verdict.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import { outcomeOf, type StepTimes, stepTimes } from '../../../lookups/steps.ts';
import {
  type Comparison,
  type Condition,
  type ExecutionDetail,
  isChannel,
  isFinal,
  type Job,
  type Wait,
} from '../../../service/event.ts';
import { CHANNELS } from '../../../service/query.ts';
import { section } from '../../kit/blocks.ts';
import { causeLines } from '../../kit/incident/cause-words.ts';
import { channelName, isKnownProvider, OUTCOME_EMOJI, OUTCOME_WORDS, providerName } from '../../kit/incident/names.ts';
import { code, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';

const MOST_DETAILS = 3;
const MOST_NAMES = 4;
const SHOWN_STATUSES = new Set(['Failed', 'Warning', 'ReadConfirmation']);

export function storyRows(found: FoundEvent): SectionBlock[] {
  const { event, judgement } = found;
  // The service usually lists no step for the trigger itself.
  const trigger = section(mrkdwn`✅ *trigger* — received · ${time(event.createdAt)}`);
  const begins = event.jobs.some(({ type }) => type === 'trigger') ? [] : [trigger];
  return [...begins, ...judgement.steps.map((step) => stepRow(step, found))];
}

function stepRow(step: StepJudgement, found: FoundEvent): SectionBlock {
  const times = stepTimes(step.job);
  const lines = [
    ...waitLine(step.job, times),
    ...providersTried(step.job),
    ...overriddenLine(step.job),
    ...namesLine('issues with its definition', step.job.issues.fields),
    ...skipLines(step, found.judgement.steps),
    ...detailLines(step, found.event.createdAt),
    ...causesOf(step, found),
  ];
  return section(joined([stepLine(step, times, found), ...lines.map((line) => mrkdwn`      ${line}`)], '\n'));
}

/** Overrides for another provider or channel have no effect on this step. */
function overriddenLine({ overrides, provider, type }: Job): Markup[] {
  const isForAnother = (name: string) =>
    (isKnownProvider(name) && name !== provider) || (CHANNELS.some((channel) => channel === name) && name !== type);
  return namesLine(
    'overridden at the trigger',
    overrides.fields.filter((name) => !isForAnother(name)),
  );
}

function causesOf({ job }: StepJudgement, { causes }: FoundEvent): Markup[] {
  const cause = causes.get(job.id);
  return cause === undefined ? [] : causeLines(cause);
}

function stepLine(step: StepJudgement, times: StepTimes | null, { event }: FoundEvent): Markup {
  const { job, verdict } = step;
  const { emoji, word } = stepOutcome(step, event);
  const lasted = times === null || verdict === 'skipped-by-design' ? [] : lastedWords(job, times);
  const facts = [
    mrkdwn`${word}${statusBeside(word, job)}`,
    ...stepTime(times, event.createdAt),
    ...lasted,
    ...attemptsOf(job),
  ];
  return mrkdwn`${emoji} *${stepName(job)}* — ${joined(facts, ' · ')}`;
}

/** A step that sends nothing is done, not delivered; a merged step was sent with another event. */
function stepOutcome(
  step: StepJudgement,
  event: FoundEvent['event'],
): { readonly emoji: string; readonly word: string } {
  const { job, verdict } = step;
  if (job.status === 'merged') return { emoji: '⏭️', word: 'merged' };
  const isPlain = verdict === 'delivered' || verdict === 'in-progress';
  if (isPlain && !isChannel(job.type)) return { emoji: isFinal(job) ? '✅' : '⏳', word: job.status };
  const outcome = outcomeOf(event, step);
  return { emoji: OUTCOME_EMOJI[outcome], word: OUTCOME_WORDS[outcome] };
}

function stepName(job: Job): Markup {
  const provider = job.provider === null || !isChannel(job.type) ? '' : ` · ${providerName(job.provider)}`;
  return named(`${channelName(job.type)}${provider}${ownName(job)}`);
}

/** '' if it says no more than 'Email step'. */
function ownName({ type, stepName }: Job): string {
  if (stepName === null) return '';
  const plain = [type, channelName(type)].map((name) => name.toLowerCase());
  return plain.includes(stepName.toLowerCase().replace(/ step$/, '')) ? '' : ` (${maskedId(stepName)})`;
}

/** If it differs from Notif's word: a completed step that bounced. */
function statusBeside(word: string, { status }: Job): string {
  return word.startsWith(status) || (word === 'delivered' && status === 'completed') ? '' : ` (${status})`;
}

function stepTime(times: StepTimes | null, createdAt: Date | null): Markup[] {
  if (times === null) return [];
  return [timeNear(times.ended ?? times.began, createdAt, 'seconds')];
}

/** A digest or delay only waits. */
function lastedWords({ wait }: Job, { waitedMs, ranMs }: StepTimes): Markup[] {
  if (wait !== null) return durationWords('waited', waitedMs + (ranMs ?? 0));
  return [...durationWords('waited', waitedMs), ...durationWords('ran', ranMs ?? 0)];
}

function durationWords(what: string, ms: number): Markup[] {
  return ms < 1000 ? [] : [mrkdwn`${what} ${describeDuration(ms)}`];
}

function attemptsOf(job: Job): Markup[] {
  const retries = job.details.filter((detail) => detail.isRetry).length;
  return retries === 0 ? [] : [mrkdwn`${retries + 1} attempts`];
}

function providersTried({ provider, details }: Job): Markup[] {
  const tried = [...new Set(details.map((detail) => detail.provider).filter((name) => name !== null))];
  if (tried.length === 0 || tried.every((name) => name === provider)) return [];
  return [
    mrkdwn`tried ${joined(
      tried.slice(0, MOST_NAMES).map((name) => named(providerName(name))),
      ', then ',
    )}${andMore(tried)}`,
  ];
}

/** View raw shows their values. */
function namesLine(what: string, names: readonly string[]): Markup[] {
  if (names.length === 0) return [];
  return [mrkdwn`${what}: ${joined(names.slice(0, MOST_NAMES).map(named), ', ')}${andMore(names)}`];
}

function andMore(names: readonly string[]): string {
  return names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
}

function detailLines(step: StepJudgement, triggeredAt: Date | null): Markup[] {
  const { job, verdict } = step;
  const shown = job.details.filter((detail) => SHOWN_STATUSES.has(detail.status));
  if (shown.length === 0) {
    if (!isChannel(job.type)) return lastWord(job);
    return verdict === 'delivered' || verdict === 'in-progress' ? [] : [mrkdwn`${REASONS[verdict]}`];
  }
  const left = shown.length - MOST_DETAILS;
  return [
    ...shown.slice(-MOST_DETAILS).map((detail) => detailLine(detail, triggeredAt)),
    ...(left > 0 ? [mrkdwn`${plural(left, 'earlier one is', 'earlier ones are')} under View raw`] : []),
  ];
}

/** Of a step that sends nothing: 'Digest triggered events'. */
function lastWord({ details }: Job): Markup[] {
  const last = details.at(-1);
  return last === undefined ? [] : [mrkdwn`${String(last.detail)}`];
}

function detailLine(detail: ExecutionDetail, triggeredAt: Date | null): Markup {
  const said = detail.status === 'Failed' ? causeOf(detail).text : String(detail.detail);
  const marks = [
    ...(detail.isTest ? [mrkdwn`test`] : []),
    mrkdwn`${detail.source.toLowerCase()}`,
    timeNear(detail.createdAt, triggeredAt, 'seconds'),
  ];
  return mrkdwn`${detail.status}: ${said} (${joined(marks, ', ')})`;
}

const MOST_CONDITIONS = 4;

function skipLines(step: StepJudgement, steps: readonly StepJudgement[]): Markup[] {
  if (step.verdict !== 'skipped-by-design') return [];
  return [...followed(step, steps), ...conditionLines(step.job.conditions)];
}

function followed(step: StepJudgement, steps: readonly StepJudgement[]): Markup[] {
  if (!step.job.details.some(isStoppedByFailure)) return [];
  const before = steps.slice(0, steps.indexOf(step)).findLast(({ verdict }) => verdict === 'failed');
  return before === undefined ? [] : [mrkdwn`${channelName(before.job.type)} before it failed`];
}

function conditionLines(conditions: readonly Condition[]): Markup[] {
  const left = conditions.length - MOST_CONDITIONS;
  return [
    ...conditions.slice(0, MOST_CONDITIONS).map((condition) => mrkdwn`sent ${conditionWords(condition)}`),
    ...(left > 0 ? [mrkdwn`${plural(left, 'more condition is', 'more conditions are')} under View raw`] : []),
  ];
}

function conditionWords({ isNegated, needs, comparisons }: Condition): Markup {
  const words = joined(comparisons.slice(0, MOST_CONDITIONS).map(comparisonWords), needs === 'all' ? ' and ' : ' or ');
  const more =
    comparisons.length > MOST_CONDITIONS ? mrkdwn` and ${comparisons.length - MOST_CONDITIONS} more` : mrkdwn``;
  return mrkdwn`${isNegated ? 'unless' : 'only if'} ${words}${more}`;
}

function comparisonWords({ field, operator, value }: Comparison): Markup {
  return mrkdwn`${code(`${field}`)} ${`${operator}`} ${code(`${value}`)}`;
}

function waitLine(job: Job, times: StepTimes | null): Markup[] {
  const { wait, scheduleExtensions } = job;
  const parts = [
    ...(wait === null ? [] : [...lasting(wait, job, times), ...ruleOf(wait)]),
    ...(scheduleExtensions === 0 ? [] : [mrkdwn`extended ${scheduleExtensions}× to fit the subscriber's schedule`]),
  ];
  return parts.length === 0 ? [] : [joined(parts, ' · ')];
}

function lasting(wait: Wait, job: Job, times: StepTimes | null): Markup[] {
  const { ms } = wait;
  if (isFinal(job)) return ms === null ? [] : [mrkdwn`was to wait ${describeDuration(ms)}`];
  const waits = isWaiting(job) ? 'waits' : 'will wait';
  const end = endOf(wait, job, times);
  const until = end === null ? mrkdwn`` : mrkdwn` until ${time(end, 'day')}`;
  return [
    ms === null ? mrkdwn`${waits}${until}` : mrkdwn`${waits} ${describeDuration(ms)}${end === null ? '' : ','}${until}`,
  ];
}

function isWaiting({ status }: Job): boolean {
  return status === 'delayed';
}

/**
 * Counted from the step's last sign of life unless the service states it. Null if it's unknown: a step may still wait
 * for those before it, and an extended wait ends later than stated.
 */
function endOf({ ms, until }: Wait, job: Job, times: StepTimes | null): Date | null {
  if (job.scheduleExtensions > 0) return null;
  if (until !== null) return until;
  return ms === null || times === null || !isWaiting(job) ? null : addMilliseconds(times.lastSign, ms);
}

function ruleOf({ type, collected }: Wait): Markup[] {
  return [
    ...(type === null || type === 'regular' ? [] : [mrkdwn`${type}`]),
    ...(collected === null ? [] : [mrkdwn`collected ${plural(collected, 'event')}`]),
  ];
}
