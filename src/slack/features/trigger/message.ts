import type { KnownBlock } from '@slack/types';
import type { Delivered } from '../../../failures/judge.ts';
import { explainServiceProblem } from '../../../health/explain.ts';
import type { Environment } from '../../../lib/environment.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { targetOf } from '../../../lookups/event.ts';
import { outcomeOf } from '../../../lookups/outcome.ts';
import { isDelivery, isFinal } from '../../../service/event.ts';
import {
  isDone,
  REFUSALS,
  type Recipient,
  type RecipientState,
  type TriggerProgress,
} from '../../../triggers/follow.ts';
import type { TriggerPlan } from '../../../triggers/plan.ts';
import {
  actions,
  alert,
  button,
  context,
  divider,
  type MessageBlock,
  type MessageContent,
  message,
  noted,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-value.ts';
import { lookUpButton } from '../../kit/buttons.ts';
import { fitRows } from '../../kit/fit.ts';
import { channelName, channelVia } from '../../kit/incident/channel-name.ts';
import { notShownReason, OUTCOME_EMOJI, OUTCOME_WORDS } from '../../kit/incident/verdict-word.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { badge, code, cut, joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

export const ALL_ROWS = 'trigger.rows';

/** How many rows the message follows; a list shows all. */
const MOST_ROWS = 10;

/** A custom transaction ID has at most 255 characters. */
const LONGEST_ID = 255;

/** The same message is edited until the end. */
export function progressMessage(progress: TriggerProgress, environment: Environment): MessageContent {
  const { recipients } = progress;
  const headline = headlineOf(progress, environment);
  const counts = recipients.length > 1 ? [countsLine(recipients)] : [];
  const by = mrkdwn`by ${person(progress.intent.actor)}, ${time(progress.sentAt, 'day')}`;
  const { blocks } = fitRows(
    [section(headline), context(...counts, by), divider()],
    inTroubleFirst(recipients)
      .slice(0, MOST_ROWS)
      .map((recipient) => [recipientRow(recipient, progress)]),
    [...notes(progress, environment), ...allRows(progress)],
    (left) => mrkdwn`${plural(left, "more row doesn't fit", "more rows don't fit")} here.`,
  );
  return message(joined([headline, ...counts], '. '), blocks);
}

function recipientRow({ row, subscriberId, transactionId, state }: Recipient, { intent, recipients }: TriggerProgress) {
  const number = recipients.length > 1 ? mrkdwn`${row}. ` : mrkdwn``;
  const line = mrkdwn`${stateLine(state, mrkdwn`${number}${code(subscriberId)} `)} · ${code(transactionId, LONGEST_ID)}`;
  if (state.is !== 'seen') return section(line);
  return section(line, lookUpButton({ environment: intent.environment, target: targetOf(state.event) }));
}

function allRows({ intent, recipients }: TriggerProgress): KnownBlock[] {
  if (recipients.length <= MOST_ROWS) return [];
  return actions([button(`All ${recipients.length} rows`, ALL_ROWS, writeValue([intent.id]))]);
}

export function rowsMessage(progress: TriggerProgress, environment: Environment): MessageContent {
  const { recipients } = progress;
  return listMessage({
    caption: (shown) => {
      const count = countWords('row', { before: 0, shown, total: recipients.length });
      return mrkdwn`${headlineOf(progress, environment)} · ${count}`;
    },
    columns: ['Row', 'Subscriber', 'Outcome'],
    rows: inTroubleFirst(recipients).map(({ row, subscriberId, state }) => ({
      cells: [row, subscriberId, stateLine(state)],
    })),
    notes: [countsLine(recipients), ...answerLines(recipients), ...troubleLine(progress, environment)],
  });
}

function headlineOf({ intent: { workflow }, recipients, phase }: TriggerProgress, environment: Environment): Markup {
  const done = recipients.filter(isDone).length;
  const count =
    recipients.length === 1 ? (done === 1 ? 'done' : 'in progress') : mrkdwn`${done} of ${recipients.length} done`;
  return mrkdwn`${emojiOf(recipients, phase)} Test of *${workflow}* in ${badge(environment)} · ${count}`;
}

function emojiOf(recipients: readonly Recipient[], phase: TriggerProgress['phase']): string {
  if (phase === 'following') return '⏳';
  const [worst] = inTroubleFirst(recipients);
  return phase === 'out-of-time' || worst === undefined ? '🟡' : outcomeWords(worst.state).emoji;
}

function notes(progress: TriggerProgress, environment: Environment): KnownBlock[] {
  const { recipients, isAnswerLost, phase } = progress;
  const isResumed = progress.isResumed && phase === 'following';
  const lines = [
    ...answerLines(recipients),
    ...(isResumed ? [mrkdwn`Resumed: Notif is checking what went through, and won't resend.`] : []),
    ...(isAnswerLost && !isResumed ? [lostAnswer(progress)] : []),
    ...troubleLine(progress, environment),
    ...(phase === 'out-of-time' ? [mrkdwn`${OUT_OF_TIME} Later: ${lookUp(progress, environment)}`] : []),
  ];
  return lines.length === 0 ? [] : [divider(), context(...lines)];
}

const OUT_OF_TIME = 'Not everything is final after 2 minutes, and this message no longer updates.';

function lostAnswer({ phase, recipients }: TriggerProgress): Markup {
  const outcome =
    phase === 'following'
      ? ": this may or may not have gone through. Notif is checking what did, and won't resend."
      : recipients.every(({ state }) => state.is === 'seen')
        ? ', but everything went through. Nothing was resent.'
        : ": what isn't listed yet may or may not have gone through. Nothing was resent.";
  return mrkdwn`No clear answer from the service${outcome}`;
}

function troubleLine({ trouble, phase }: TriggerProgress, environment: Environment): Markup[] {
  if (trouble === null) return [];
  const { what, next } = explainServiceProblem(trouble, environment);
  return [mrkdwn`⚠️ ${what} ${phase === 'following' ? 'Asking again.' : next}`];
}

/** Of what isn't done, or else any. */
function lookUp({ recipients }: TriggerProgress, environment: Environment): Markup {
  const sent = recipients.filter(({ state }) => state.is !== 'refused');
  const { transactionId = '' } = sent.find((recipient) => !isDone(recipient)) ?? sent[0] ?? {};
  return code(`/notif event ${transactionId} env:${environment.name}`, 300);
}

export const TEST_EXPIRED = sentence(mrkdwn`This test is no longer kept. Look its events up by their transaction IDs.`);

export const FOLLOW_IN_DMS = mrkdwn`Follow it in your DMs with Notif.`;

/** So that nobody sends again what was sent. */
export function notPosted(progress: TriggerProgress, environment: Environment, reference: string): MessageContent {
  const known = progressMessage(progress, environment);
  const isSent = progress.recipients.some(({ state }) => state.is !== 'refused');
  const next = isSent ? mrkdwn` Look it up: ${lookUp(progress, environment)}` : mrkdwn``;
  return noted(known, mrkdwn`⚠️ Its progress can't be shown in your DMs.${next} Reference ${code(reference)}`);
}

export const SENT_BEFORE = sentence(mrkdwn`This form was submitted already: it's sent only once.`);

/** While the service is called. */
export function sendingLine({ events, workflow }: TriggerPlan, environment: Environment): Markup {
  return mrkdwn`⏳ Sending ${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)} …`;
}

export function whyNothingWasSent(error: unknown, { events }: TriggerPlan): Markup {
  const fields = error instanceof ServiceError && error.problem.kind === 'refused' ? error.problem.fields : [];
  const indexes = fields.flatMap((field) => /^events\.(\d+)(?:\.|$)/.exec(field)?.[1] ?? []);
  const rows = [...new Set(indexes.map(Number))];
  if (rows.length === 0) return mrkdwn`Nothing was sent.`;
  const objects = rows.map((index) => mrkdwn`row ${index + 1} (${code(events[index]?.subscriberId ?? '')})`);
  return mrkdwn`Nothing was sent. It objects to ${joined(objects, ', ')}.`;
}

/** The service runs all its steps again. */
export function againBlocks(
  { workflow, subscriberId, environment }: { workflow: string; subscriberId: string; environment: Environment },
  delivered: readonly Pick<Delivered, 'channel' | 'provider'>[],
  texts: { readonly payload: string | null; readonly advanced: string | null },
): MessageBlock[] {
  const channels = [...new Set(delivered.map(({ channel, provider }) => channelVia(channel, provider)))];
  const names = channels.map((channel) => mrkdwn`*${named(channel)}*`);
  const tooLong = Object.entries(texts).flatMap(([name, text]) => (text === null ? [name] : []));
  return [
    section(mrkdwn`Send *${workflow}* to ${code(subscriberId)} again in ${badge(environment)}`),
    ...(names.length === 0
      ? []
      : [alert('warning', mrkdwn`Already delivered, and delivered once more by this: ${joined(names, ', ')}.`)]),
    context(
      mrkdwn`Not carried over: actor, tenant and attachments. The service doesn't return them.`,
      ...tooLong.map((name) => mrkdwn`The original ${name} is too long to edit here: leave it empty to send it.`),
    ),
  ];
}

/** The worst last. */
const BY_TROUBLE = ['⏭️', '⏳', '❔', '⚠️', '🟡', '🟠', '🔴'];

function inTroubleFirst(recipients: readonly Recipient[]): Recipient[] {
  const trouble = ({ state }: Recipient) => BY_TROUBLE.indexOf(outcomeWords(state).emoji);
  return [...recipients].sort((a, b) => trouble(b) - trouble(a) || a.row - b.row);
}

function countsLine(recipients: readonly Recipient[]): Markup {
  const all = inTroubleFirst(recipients).map(({ state }) => outcomeWords(state));
  const kinds = new Map(all.map(({ emoji, word }) => [word, emoji]));
  const count = (word: string) => all.filter((other) => other.word === word).length;
  return joined(
    [...kinds].map(([word, emoji]) => mrkdwn`${emoji} ${count(word)} ${word}`),
    ' · ',
  );
}

function stateLine(state: RecipientState, who = mrkdwn``): Markup {
  const { emoji, word } = outcomeWords(state);
  const details = detailsOf(state);
  return mrkdwn`${emoji} ${who}${word}${details === '' ? '' : mrkdwn`: ${details}`}`;
}

const UNSEEN_WORDS = {
  refused: { emoji: '🔴', word: 'not sent' },
  unclear: { emoji: '🟡', word: 'may or may not have been sent' },
  awaited: { emoji: '⏳', word: 'waiting to be listed' },
};

function outcomeWords(state: RecipientState): { readonly emoji: string; readonly word: string } {
  if (state.is !== 'seen') return UNSEEN_WORDS[state.is];
  const outcome = outcomeOf(state.event, state.judgement);
  return { emoji: OUTCOME_EMOJI[outcome], word: OUTCOME_WORDS[outcome] };
}

function detailsOf(state: RecipientState): Markup | string {
  if (state.is === 'seen') return seenDetails(state);
  if (state.is === 'awaited') return '';
  const why = state.is === 'refused' ? REFUSALS[state.status].why : state.status;
  return cut([why, state.errors.join('; ')].filter(Boolean).join(': '), LONGEST_ANSWER);
}

/** A row with it still fits into a section. */
const LONGEST_ANSWER = 1_000;

function seenDetails({ event, judgement }: Extract<RecipientState, { is: 'seen' }>): Markup | string {
  if (outcomeOf(event, judgement) === 'not-shown') return notShownReason(event);
  const failure = judgement.failures.find(({ verdict }) => verdict === judgement.verdict);
  if (failure !== undefined) return mrkdwn`${channelVia(failure.channel, failure.provider)}, ${failure.cause.text}`;
  const open = judgement.steps.find(({ job }) => !isFinal(job));
  if (open !== undefined) return `${channelName(open.job.type)} ${open.job.status}`;
  const delivered = judgement.steps.filter(({ verdict, job }) => verdict === 'delivered' && isDelivery(job));
  return [...new Set(delivered.map(({ job }) => channelName(job.type)))].join(', ');
}

function answerLines(recipients: readonly Recipient[]): Markup[] {
  const lines = recipients.flatMap(({ state }) => {
    if (state.is === 'refused') return [mrkdwn`${code(state.status)}: ${REFUSALS[state.status].next}`];
    if (state.is !== 'unclear') return [];
    return state.status === null
      ? [mrkdwn`No readable answer: ${LOOK_FIRST}`]
      : [mrkdwn`${code(state.status)}: Notif doesn't know this answer of the service. ${LOOK_FIRST}`];
  });
  return [...new Map(lines.map((line) => [`${line}`, line])).values()];
}

const LOOK_FIRST = 'Check before you send again.';
