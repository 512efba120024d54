import type { Delivered } from '../../../failures/judge.ts';
import { explainServiceProblem } from '../../../health/explain.ts';
import type { Environment } from '../../../lib/environment.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { targetOf } from '../../../lookups/event.ts';
import { outcomeOf } from '../../../lookups/steps.ts';
import { isDelivery, isFinal } from '../../../service/event.ts';
import { isDone, type Recipient, type RecipientState, type TriggerProgress } from '../../../triggers/follow.ts';
import type { TriggerPlan } from '../../../triggers/plan.ts';
import {
  alert,
  context,
  type MessageBlock,
  type MessageContent,
  message,
  noted,
  option,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { LOOK_UP, lookUpButton, writeLookup } from '../../kit/buttons.ts';
import { channelName, channelVia, notShownReason, OUTCOME_EMOJI, OUTCOME_WORDS } from '../../kit/incident/names.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { badge, code, cut, joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

/** A custom transaction ID has at most 255 characters. */
const LONGEST_ID = 255;

/** The same message is edited until the end. */
export function progressMessage(progress: TriggerProgress, environment: Environment): MessageContent {
  const { recipients, intent } = progress;
  const headline = headlineOf(progress, environment);
  const sent = mrkdwn`by ${person(intent.actor)}, ${time(progress.sentAt, 'day')}`;
  const notes = notesOf(progress, environment);
  const [first, ...others] = recipients;
  if (first !== undefined && others.length === 0)
    return message(headline, [section(headline), recipientRow(first, intent), context(sent, ...notes)]);
  return listMessage({
    caption: (shown) => {
      const rows = shown === recipients.length ? mrkdwn`` : mrkdwn` · ${shownWords(shown, recipients.length)}`;
      return mrkdwn`${headline}${rows}`;
    },
    columns: ['Subscriber', 'Outcome', 'Row'],
    rows: inTroubleFirst(recipients).map(({ row, subscriberId, state }) => ({
      cells: [subscriberId, stateLine(state), row],
      choice: state.is === 'seen' ? option(subscriberId, writeLookup(requestFor(state.event, intent))) : null,
    })),
    notes: [countsLine(recipients), sent, ...notes],
    lookUp: LOOK_UP,
  });
}

function shownWords(shown: number, total: number): Markup {
  return countWords('row', { before: 0, shown, total });
}

function recipientRow({ subscriberId, transactionId, state }: Recipient, intent: TriggerProgress['intent']) {
  const line = mrkdwn`${stateLine(state, mrkdwn`${code(subscriberId)} `)} · ${code(transactionId, LONGEST_ID)}`;
  return state.is === 'seen' ? section(line, lookUpButton(requestFor(state.event, intent))) : section(line);
}

function requestFor(event: Parameters<typeof targetOf>[0], { environment }: TriggerProgress['intent']) {
  return { environment, target: targetOf(event) };
}

function headlineOf({ intent: { workflow }, recipients, phase }: TriggerProgress, environment: Environment): Markup {
  const done = recipients.filter(isDone).length;
  const single = done === 1 ? 'done' : 'in progress';
  const count = recipients.length === 1 ? single : mrkdwn`${done} of ${recipients.length} done`;
  return mrkdwn`${emojiOf(recipients, phase)} Test of *${workflow}* in ${badge(environment)} · ${count}`;
}

function emojiOf(recipients: readonly Recipient[], phase: TriggerProgress['phase']): string {
  if (phase === 'following') return '⏳';
  const [worst] = inTroubleFirst(recipients);
  return phase === 'out-of-time' || worst === undefined ? '🟡' : outcomeWords(worst.state).emoji;
}

function notesOf(progress: TriggerProgress, environment: Environment): Markup[] {
  const { recipients, isAnswerLost, phase, trouble } = progress;
  const isUnclear = recipients.some(({ state }) => state.is === 'unclear');
  const { what, next } = trouble === null ? { what: '', next: '' } : explainServiceProblem(trouble, environment);
  return [
    ...(isUnclear ? [mrkdwn`Notif doesn't know what the service's answer means: check before you send again.`] : []),
    ...(isAnswerLost ? [lostAnswer(progress)] : []),
    ...(trouble === null ? [] : [mrkdwn`⚠️ ${what} ${phase === 'following' ? 'Asking again.' : next}`]),
    ...(phase === 'out-of-time'
      ? [mrkdwn`Not everything is final after 2 minutes. Later: ${lookUp(progress, environment)}`]
      : []),
  ];
}

function lostAnswer({ phase, recipients }: TriggerProgress): Markup {
  const unknown = ': this may or may not have gone through. Notif looks what did, and resends nothing.';
  const isAllSeen = phase !== 'following' && recipients.every(({ state }) => state.is === 'seen');
  return mrkdwn`No clear answer from the service${isAllSeen ? ', but everything went through.' : unknown}`;
}

/** Of what isn't done, or else any. */
function lookUp({ recipients }: TriggerProgress, environment: Environment): Markup {
  const sent = recipients.filter(({ state }) => state.is !== 'refused');
  const { transactionId = '' } = sent.find((recipient) => !isDone(recipient)) ?? sent[0] ?? {};
  return code(`/notif event ${transactionId} env:${environment.name}`, 300);
}

export const FOLLOW_IN_DMS = mrkdwn`Follow it in your DMs with Notif.`;

/** So that nobody sends again what was sent. */
export function notPosted(progress: TriggerProgress, environment: Environment, reference: string): MessageContent {
  const known = progressMessage(progress, environment);
  const isSent = progress.recipients.some(({ state }) => state.is !== 'refused');
  const next = isSent ? mrkdwn` Look it up: ${lookUp(progress, environment)}` : mrkdwn``;
  return noted(known, mrkdwn`⚠️ Its progress can't be shown in your DMs.${next} Reference ${code(reference)}`);
}

export const SENT_BEFORE = sentence(mrkdwn`This form was submitted already: it's sent only once.`);

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
): MessageBlock[] {
  const channels = [...new Set(delivered.map(({ channel, provider }) => channelVia(channel, provider)))];
  const names = channels.map((channel) => mrkdwn`*${named(channel)}*`);
  const warning = mrkdwn`Already delivered, and delivered once more by this: ${joined(names, ', ')}.`;
  return [
    section(mrkdwn`Send *${workflow}* to ${code(subscriberId)} again in ${badge(environment)}`),
    ...(names.length === 0 ? [] : [alert('warning', warning)]),
    context(mrkdwn`Not carried over: actor, tenant and attachments. The service doesn't return them.`),
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
  const details = state.is === 'seen' ? seenDetails(state) : answerDetails(state);
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

/** A row with it still fits into a section. */
const LONGEST_ANSWER = 1_000;

function answerDetails(state: Exclude<RecipientState, { is: 'seen' }>): string {
  if (state.is === 'awaited') return '';
  const why = state.is === 'refused' ? state.why : state.status;
  return cut([why, state.errors.join('; ')].filter(Boolean).join(': '), LONGEST_ANSWER);
}

function seenDetails({ event, judgement }: Extract<RecipientState, { is: 'seen' }>): Markup | string {
  if (outcomeOf(event, judgement) === 'not-shown') return notShownReason(event);
  const failure = judgement.failures.find(({ verdict }) => verdict === judgement.verdict);
  if (failure !== undefined) return mrkdwn`${channelVia(failure.channel, failure.provider)}, ${failure.cause.text}`;
  const open = judgement.steps.find(({ job }) => !isFinal(job));
  if (open !== undefined) return `${channelName(open.job.type)} ${open.job.status}`;
  const delivered = judgement.steps.filter(({ verdict, job }) => verdict === 'delivered' && isDelivery(job));
  return [...new Set(delivered.map(({ job }) => channelName(job.type)))].join(', ');
}
