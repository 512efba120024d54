import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { InputError, type ServiceError } from '../../domain/errors.ts';
import { isDelivered } from '../../domain/failures/judge.ts';
import { explainServiceProblem } from '../../domain/health/explain.ts';
import type { Recipient, TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { isDone } from '../../domain/triggers/trigger.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { badge } from '../blocks/badge.ts';
import {
  actions,
  button,
  context,
  divider,
  type MessageContent,
  message,
  section,
  sentence,
} from '../blocks/blocks.ts';
import { writeValue } from '../blocks/button-value.ts';
import { fitRows } from '../blocks/fit.ts';
import { OUTCOME_EMOJI } from '../blocks/incident/verdict-word.ts';
import { code, joined, type Markup, mrkdwn, person, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { answerLines, countsLine, inTroubleFirst, recipientRow, seenOutcome } from './recipient-message.ts';

/** [All 100 rows]: opens all of a trigger. */
export const ALL_ROWS = 'trigger.rows';

/** How many rows the message follows; a list shows all. */
const MOST_ROWS = 10;

/** Builds a trigger's progress. The same message is edited until the end. */
export function progressMessage(run: TriggerRun, progress: TriggerProgress, environment: Environment): MessageContent {
  const { recipients } = progress;
  const headline = triggerHeadline(run, progress, environment);
  const counts = recipients.length > 1 ? [countsLine(recipients)] : [];
  const by = mrkdwn`by ${person(run.actor)}, ${time(run.startedAt, 'day')}`;
  const { blocks } = fitRows(
    [section(headline), context(...counts, by), divider()],
    inTroubleFirst(recipients)
      .slice(0, MOST_ROWS)
      .map((recipient) => [recipientRow(recipient, run, recipients.length)]),
    [...notes(run, progress, environment), ...allRows(run, recipients)],
    (left) => mrkdwn`${plural(left, "more row doesn't fit", "more rows don't fit")} here.`,
  );
  return message(joined([headline, ...counts], '. '), blocks);
}

function allRows({ intent }: TriggerRun, recipients: readonly Recipient[]): KnownBlock[] {
  if (recipients.length <= MOST_ROWS) return [];
  return actions([button(`All ${recipients.length} rows`, ALL_ROWS, writeValue([intent]))]);
}

export function triggerHeadline(
  { workflow }: TriggerRun,
  { recipients, phase }: TriggerProgress,
  environment: Environment,
): Markup {
  const done = recipients.filter(isDone).length;
  const count =
    recipients.length === 1 ? (done === 1 ? 'done' : 'in progress') : mrkdwn`${done} of ${recipients.length} done`;
  return mrkdwn`${emojiOf(recipients, phase)} Test of *${workflow}* in ${badge(environment)} · ${count}`;
}

function emojiOf(recipients: readonly Recipient[], phase: TriggerProgress['phase']): string {
  if (phase === 'following') return '⏳';
  if (phase === 'out-of-time') return '🟡';
  const others = recipients.filter((recipient) => !isFine(recipient));
  if (others.length === 0) return '✅';
  return others.every(isNotShown) ? OUTCOME_EMOJI['not-shown'] : '🔴';
}

function isFine(recipient: Recipient): boolean {
  return recipient.state.is === 'seen' && !isNotShown(recipient) && isDelivered(recipient.state.judgement.verdict);
}

function isNotShown({ state }: Recipient): boolean {
  return state.is === 'seen' && seenOutcome(state) === 'not-shown';
}

function notes(run: TriggerRun, progress: TriggerProgress, environment: Environment): KnownBlock[] {
  const { trouble, phase } = progress;
  const lines = [
    ...answerLines(progress.recipients),
    ...(phase === 'following' ? uncertainty(run, progress) : lostAnswer(progress)),
    ...(trouble === null ? [] : [troubleLine(trouble, progress, environment)]),
    ...(phase === 'out-of-time' ? [later(progress.recipients, environment)] : []),
  ];
  return lines.length === 0 ? [] : [divider(), context(...lines)];
}

/** Says, while a test is followed, why Notif has to find out what went through. */
function uncertainty({ isResumed }: TriggerRun, { isAnswerLost }: TriggerProgress): Markup[] {
  if (isResumed) return [RESUMED];
  return isAnswerLost ? [ANSWER_LOST] : [];
}

/** Says, once a test isn't followed anymore, what a lost answer came to. */
function lostAnswer({ isAnswerLost, recipients }: TriggerProgress): Markup[] {
  if (!isAnswerLost) return [];
  return [recipients.every(({ state }) => state.is === 'seen') ? WENT_THROUGH : NOT_ALL_LISTED];
}

const WENT_THROUGH = mrkdwn`No clear answer from the service, but everything went through. Nothing was resent.`;
const NOT_ALL_LISTED = mrkdwn`No clear answer from the service: what isn't listed yet may or may not have gone through. Nothing was resent.`;
const ANSWER_LOST = mrkdwn`No clear answer from the service: this may or may not have gone through. Notif is checking what did, and won't resend.`;
const RESUMED = mrkdwn`Resumed: Notif is checking what went through, and won't resend.`;

export function troubleLine(
  trouble: ServiceError,
  { phase }: Pick<TriggerProgress, 'phase'>,
  environment: Environment,
): Markup {
  const { what, next } = explainServiceProblem(trouble, environment);
  return mrkdwn`⚠️ ${what} ${phase === 'following' ? 'Asking again.' : next}`;
}

/** Says, when time is up, how to look up what isn't done. */
function later(recipients: readonly Recipient[], environment: Environment): Markup {
  const [open] = recipients.filter((recipient) => !isDone(recipient));
  const command = code(`/notif event ${open?.transactionId ?? ''} env:${environment.name}`, 200);
  return mrkdwn`Not everything is final after 2 minutes, and this message no longer updates. Later: ${command}`;
}

export const SENT_BEFORE = sentence(mrkdwn`This form was submitted already: it's sent only once.`);

/** Adds to an error that nothing was sent, and which rows the service names in its refusal. */
export function whyNothingWasSent(error: ServiceError | InputError, { events }: TriggerPlan): Markup {
  if (error instanceof InputError || error.problem.kind !== 'refused') return NOTHING_SENT;
  const indexes = error.problem.fields.map((field) => /^events\.(\d+)(?:\.|$)/.exec(field)?.[1]);
  const rows = [...new Set(indexes)].filter((index) => index !== undefined).map(Number);
  const named = rows.map((index) => mrkdwn`row ${index + 1} (${code(events[index]?.subscriberId ?? '')})`);
  return named.length === 0 ? NOTHING_SENT : mrkdwn`${NOTHING_SENT} It objects to ${joined(named, ', ')}.`;
}

export const NOTHING_SENT = mrkdwn`Nothing was sent.`;
