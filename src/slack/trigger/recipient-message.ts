import type { SectionBlock } from '@slack/types';
import { targetOf } from '../../domain/lookups/looked-up.ts';
import { type Outcome, outcomeOf } from '../../domain/lookups/outcome.ts';
import { isDelivery, isFinal } from '../../domain/service/event.ts';
import type { Recipient, RecipientState, RefusedStatus, TriggerRun } from '../../domain/triggers/trigger.ts';
import { section } from '../blocks/blocks.ts';
import { lookUpButton } from '../blocks/buttons/lookup-button.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { notShownReason, OUTCOME_EMOJI, OUTCOME_WORDS, outcomeWord } from '../blocks/incident/verdict-word.ts';
import { code, cut, joined, type Markup, mrkdwn } from '../blocks/text.ts';

/** Sorts recipients for display: refused ones first, then those in trouble, awaited ones, and the others. */
export function inTroubleFirst(recipients: readonly Recipient[]): Recipient[] {
  return [...recipients].sort((a, b) => rank(a) - rank(b) || a.row - b.row);
}

function rank({ state }: Recipient): number {
  if (state.is === 'refused') return 0;
  if (state.is === 'awaited') return 2;
  if (state.is === 'unclear') return 1;
  const { failures, verdict } = state.judgement;
  return failures.length > 0 || verdict === 'stuck' || seenOutcome(state) === 'not-shown' ? 1 : 3;
}

/** Returns the outcome of a recipient's event, as far as the service's answer shows it. */
export function seenOutcome({ event, judgement }: Extract<RecipientState, { is: 'seen' }>): Outcome {
  return outcomeOf(event, judgement);
}

/** '🔴 2 not sent · 🔴 1 failed · ✅ 57 delivered · ⏳ 40 waiting to be listed' */
export function countsLine(recipients: readonly Recipient[]): Markup {
  const words = inTroubleFirst(recipients).map(({ state }) => inAWord(state));
  return joined(
    counted(words).map(
      ([word, count]) => mrkdwn`${word.slice(0, word.indexOf(' '))} ${count}${word.slice(word.indexOf(' '))}`,
    ),
    ' · ',
  );
}

function inAWord(state: RecipientState): string {
  switch (state.is) {
    case 'refused':
      return '🔴 not sent';
    case 'unclear':
      return '🟡 may or may not have been sent';
    case 'awaited':
      return '⏳ waiting to be listed';
    case 'seen':
      return outcomeWord(seenOutcome(state));
  }
}

/** A custom transaction ID has at most 255 characters. */
const MOST_OF_AN_ID = 255;

/** Builds a recipient's row: its number if there are several, its transaction ID, and a button for its event. */
export function recipientRow(recipient: Recipient, { environment }: TriggerRun, rows: number): SectionBlock {
  const { row, subscriberId, transactionId, state } = recipient;
  const { emoji, words } = stateWords(state);
  const number = rows > 1 ? mrkdwn`${row}. ` : mrkdwn``;
  const line = mrkdwn`${emoji} ${number}${code(subscriberId)} ${words} · ${code(transactionId, MOST_OF_AN_ID)}`;
  return state.is === 'seen'
    ? section(line, lookUpButton({ environment, target: targetOf(state.event) }))
    : section(line);
}

/** '🔴 not sent: the service reports an error' */
export function stateLine(state: RecipientState): Markup {
  const { emoji, words } = stateWords(state);
  return mrkdwn`${emoji} ${words}`;
}

function stateWords(state: RecipientState): { emoji: string; words: Markup } {
  switch (state.is) {
    case 'refused':
      return { emoji: '🔴', words: mrkdwn`not sent: ${whyRefusedInFull(state)}` };
    case 'unclear':
      return { emoji: '🟡', words: unclear(state) };
    case 'awaited':
      return { emoji: '⏳', words: mrkdwn`waiting for the service to list it` };
    case 'seen':
      return { emoji: OUTCOME_EMOJI[seenOutcome(state)], words: seen(state) };
  }
}

interface Refusal {
  readonly why: string;
  readonly next: string;
}

/** The service's statuses for what it refused (contract, operation 6), and how to fix it. */
const REFUSALS: { readonly [Status in RefusedStatus]: Refusal } = {
  trigger_not_active: { why: "the workflow isn't active", next: 'Have it switched on in the dashboard.' },
  no_workflow_active_steps_defined: {
    why: 'no step of the workflow is active',
    next: 'Have one switched on in the dashboard.',
  },
  no_workflow_steps_defined: { why: 'the workflow has no steps', next: 'Have one added in the dashboard.' },
  no_tenant_found: { why: "the service doesn't know the tenant", next: 'Check the tenant under Advanced.' },
  invalid_recipients: {
    why: "the service doesn't accept this subscriber ID",
    next: 'IDs usually contain only letters, digits, dots, dashes, underscores and @.',
  },
  error: { why: 'the service reports an error', next: 'See the row for details.' },
};

/** How many error messages of one result are shown (contract, "Trigger result", `error`); together they fit into a section. */
const MOST_ERRORS = 5;
const LONGEST_ERROR = 300;
const LONGEST_STATUS = 100;

type Refused = Extract<RecipientState, { is: 'refused' }>;

/** Returns why the service didn't accept a recipient. */
export function whyRefused({ status }: Pick<Refused, 'status'>): string {
  return REFUSALS[status].why;
}

/** Returns the same, with the service's own words. */
export function whyRefusedInFull({ status, errors }: Refused): string {
  return `${whyRefused({ status })}${afterColon(errors)}`;
}

function unclear({ status, errors }: Extract<RecipientState, { is: 'unclear' }>): Markup {
  const word = status === null ? '' : `: ${cut(status, LONGEST_STATUS)}`;
  return mrkdwn`may or may not have been sent, waiting for the service to list it${word}${afterColon(errors)}`;
}

function afterColon(errors: readonly string[]): string {
  const said = errors.slice(0, MOST_ERRORS).map((error) => cut(error, LONGEST_ERROR));
  const more = errors.length > MOST_ERRORS ? [`and ${errors.length - MOST_ERRORS} more`] : [];
  const all = [...said, ...more].join('; ');
  return all === '' ? '' : `: ${all}`;
}

/** Explains each status with which the service refused something, and each answer that leaves open whether it did. */
export function answerLines(recipients: readonly Recipient[]): Markup[] {
  const refusals = recipients.flatMap(({ state }) => (state.is === 'refused' ? [state.status] : []));
  const unclear = recipients.flatMap(({ state }) => (state.is === 'unclear' ? [state.status] : []));
  return [
    ...counted(refusals).map(
      ([status, count]) => mrkdwn`${code(status)} (${count}): ${REFUSALS[status].why}. ${REFUSALS[status].next}`,
    ),
    ...counted(unclear).map(([status, count]) =>
      status === null
        ? mrkdwn`No readable answer (${count}): ${LOOK_FIRST}`
        : mrkdwn`${code(status)} (${count}): Notif doesn't know this answer of the service. ${LOOK_FIRST}`,
    ),
  ];
}

const LOOK_FIRST = 'Check before you send again.';

function counted<Value>(values: readonly Value[]): (readonly [Value, number])[] {
  return [...new Set(values)].map((value) => [value, values.filter((one) => one === value).length]);
}

function seen(state: Extract<RecipientState, { is: 'seen' }>): Markup {
  const { event, judgement } = state;
  const outcome = seenOutcome(state);
  const word = OUTCOME_WORDS[outcome];
  if (outcome === 'not-shown') return mrkdwn`${word}: ${notShownReason(event)}`;
  const failure = judgement.failures.find((one) => one.verdict === judgement.verdict);
  if (failure !== undefined)
    return mrkdwn`${word}: ${channelVia(failure.channel, failure.provider)}, ${failure.cause.text}`;
  const open = judgement.steps.find(({ job }) => !isFinal(job));
  if (open !== undefined) return mrkdwn`${word}: ${channelName(open.job.type)} ${open.job.status}`;
  const delivered = judgement.steps.filter(({ verdict, job }) => verdict === 'delivered' && isDelivery(job));
  const channels =
    delivered.length === 0 ? '' : `: ${[...new Set(delivered.map(({ job }) => channelName(job.type)))].join(', ')}`;
  return mrkdwn`${word}${channels}`;
}
