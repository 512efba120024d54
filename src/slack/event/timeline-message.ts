import type { KnownBlock } from '@slack/types';
import { causeOf } from '../../domain/cause.ts';
import { type ExecutionDetail, isDelivery, isFinal, type Job } from '../../domain/event.ts';
import type { StepJudgement } from '../../domain/judge.ts';
import { describeDuration } from '../../domain/span.ts';
import { VERDICT_WORDS } from '../../domain/verdict.ts';
import { section } from '../blocks/blocks.ts';
import { channelName, providerName } from '../blocks/channel-name.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { VERDICT_EMOJI } from '../blocks/verdict-word.ts';

const MOST_DETAILS = 3;
const TOLD_STATUSES = new Set(['Failed', 'Warning']);

/** A step of an event as a row: what became of it, when, how long it took, and what it says of failures. */
export function stepRow(step: StepJudgement): KnownBlock {
  return section(joined([stepLine(step), ...waitLines(step.job), ...detailLines(step)], '\n'));
}

function stepLine({ job, verdict }: StepJudgement): Markup {
  const emoji = isDelivery(job) ? VERDICT_EMOJI[verdict] : structuralEmoji(job);
  const word = isDelivery(job) ? VERDICT_WORDS[verdict] : job.status;
  const facts = [mrkdwn`${word}${statusBeside(word, job)}`, ...timesOf(job), ...triesOf(job)];
  return mrkdwn`${emoji} *${stepName(job)}* — ${joined(facts, ' · ')}`;
}

function structuralEmoji({ status }: Job): string {
  if (status === 'failed') return '🔴';
  return isFinal({ status }) ? '✅' : '⏳';
}

function stepName(job: Job): string {
  const provider = job.provider === null ? '' : ` · ${providerName(job.provider)}`;
  const own = job.stepName === null ? '' : ` (${job.stepName})`;
  return `${channelName(job.type)}${provider}${own}`;
}

/** The service's own word where ours says something else: a completed step that bounced. */
function statusBeside(word: string, job: Job): string {
  return word === job.status || (word === 'delivered' && job.status === 'completed') ? '' : ` (${job.status})`;
}

function timesOf(job: Job): Markup[] {
  const times = [...job.details.map((detail) => detail.createdAt), job.updatedAt].filter((at) => at !== null);
  const first = times.reduce<Date | null>((least, at) => (least === null || at < least ? at : least), null);
  const last = times.reduce<Date | null>((most, at) => (most === null || at > most ? at : most), null);
  if (first === null || last === null) return [];
  const lasted = last.getTime() - first.getTime();
  return lasted < 1000 ? [time(last)] : [time(last), mrkdwn`${describeDuration(lasted)}`];
}

function triesOf(job: Job): Markup[] {
  const retries = job.details.filter((detail) => detail.isRetry).length;
  return retries === 0 ? [] : [mrkdwn`${retries + 1} tries`];
}

function waitLines(job: Job): Markup[] {
  if (job.waitMs === null) return [];
  const extended = job.scheduleExtensions > 0 ? mrkdwn`, extended ${job.scheduleExtensions}×` : mrkdwn``;
  return [mrkdwn`      ${isFinal(job) ? 'waited' : 'waits'} ${describeDuration(job.waitMs)}${extended}`];
}

function detailLines({ job, verdict, reason }: StepJudgement): Markup[] {
  const told = job.details.filter((detail) => TOLD_STATUSES.has(detail.status));
  if (told.length === 0) {
    const isPlain = verdict === 'delivered' || verdict === 'in-progress';
    return isPlain ? [] : [mrkdwn`      ${reason}`];
  }
  const more = told.length > MOST_DETAILS ? [mrkdwn`      ${told.length - MOST_DETAILS} more under Raw`] : [];
  return [...told.slice(-MOST_DETAILS).map(detailLine), ...more];
}

function detailLine(detail: ExecutionDetail): Markup {
  const said = detail.status === 'Failed' ? causeOf(detail).text : String(detail.detail);
  const test = detail.isTest ? 'test, ' : '';
  return mrkdwn`      ${detail.status}: ${said} (${test}${detail.source.toLowerCase()}, ${time(detail.createdAt)})`;
}
