import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { explainServiceProblem } from '../../domain/explain.ts';
import type { Recipient, ToldTrigger, TriggerProgress } from '../../domain/trigger.ts';
import { isDone } from '../../domain/trigger.ts';
import { badge } from '../blocks/badge.ts';
import { context, divider, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitRows } from '../blocks/fit.ts';
import { code, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { recipientRows } from './recipient-message.ts';

/** How a trigger is getting on; the same message is edited until the end. */
export function progressMessage(
  told: ToldTrigger,
  progress: TriggerProgress,
  environment: Environment,
): MessageContent {
  const headline = headlineOf(told, progress, environment);
  const { blocks } = fitRows(
    [section(headline), context(mrkdwn`by ${person(told.actor)}, ${time(told.startedAt, 'day')}`), divider()],
    recipientRows(progress.recipients, environment.name),
    notes(told, progress, environment),
    (left) => mrkdwn`${left} more lines do not fit here.`,
  );
  return message(headline, blocks);
}

function headlineOf(
  { workflow }: ToldTrigger,
  { recipients, phase }: TriggerProgress,
  environment: Environment,
): Markup {
  const done = recipients.filter(isDone).length;
  const count =
    recipients.length === 1 ? (done === 1 ? 'done' : 'not done yet') : mrkdwn`${done} of ${recipients.length} done`;
  return mrkdwn`${emojiOf(recipients, phase)} Test of *${workflow}* in ${badge(environment)} · ${count}`;
}

function emojiOf(recipients: readonly Recipient[], phase: TriggerProgress['phase']): string {
  if (phase === 'following') return '⏳';
  if (phase === 'out-of-time') return '🟡';
  return recipients.every(isFine) ? '✅' : '🔴';
}

function isFine({ state }: Recipient): boolean {
  return (
    state.is === 'seen' && (state.judgement.verdict === 'delivered' || state.judgement.verdict === 'retried-then-fine')
  );
}

function notes(told: ToldTrigger, progress: TriggerProgress, environment: Environment): KnownBlock[] {
  const { isAnswerLost, trouble, phase } = progress;
  const lines = [
    ...(told.isResumed ? [RESUMED] : []),
    ...(isAnswerLost && !told.isResumed ? [ANSWER_LOST] : []),
    ...(trouble === null ? [] : [troubleLine(progress, environment)]),
    ...(phase === 'out-of-time' ? [later(progress.recipients, environment)] : []),
  ];
  return lines.length === 0 ? [] : [divider(), context(...lines)];
}

const ANSWER_LOST = mrkdwn`The answer to the request was lost. Notif finds out by reading what was sent, and never sends it again.`;
const RESUMED = mrkdwn`Notif was restarted meanwhile: it only reads what was sent, and never sends it again.`;

function troubleLine({ trouble, phase }: TriggerProgress, environment: Environment): Markup {
  if (trouble === null) return mrkdwn``;
  const { what, next } = explainServiceProblem(trouble, environment);
  return mrkdwn`⚠️ ${what} ${phase === 'following' ? 'Asking again.' : next}`;
}

/** Followed for long enough: what is not done yet can be looked up. */
function later(recipients: readonly Recipient[], environment: Environment): Markup {
  const [open] = recipients.filter((recipient) => !isDone(recipient));
  const command = code(`/notif event ${open?.transactionId ?? ''} env:${environment.name}`, 200);
  return mrkdwn`Not everything is final after two minutes, and this message is not kept up to date any more. Later: ${command}`;
}

/** Where a test was asked for: its progress is told elsewhere. */
export function pointerMessage(workflow: string, recipients: number, environment: Environment): MessageContent {
  const whom = recipients === 1 ? 'one subscriber' : mrkdwn`${recipients} subscribers`;
  const text = mrkdwn`${badge(environment)} · *${workflow}* is sent to ${whom}. How it goes stands in your messages with Notif.`;
  return message(text, [section(text)]);
}

/** The same form was submitted before. */
export function sentBeforeMessage(): MessageContent {
  const text = mrkdwn`This form was sent already: nothing was sent again.`;
  return message(text, [section(text)]);
}

/** What can be said besides an error: that nothing was sent. */
export const NOTHING_SENT = mrkdwn`Nothing was sent.`;
