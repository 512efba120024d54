import { outcomeOf } from '../../domain/lookups/outcome.ts';
import { isDelivery, isFinal } from '../../domain/service/event.ts';
import type { Recipient, RecipientState, RefusedStatus } from '../../domain/triggers/trigger.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { notShownReason, OUTCOME_EMOJI, OUTCOME_WORDS } from '../blocks/incident/verdict-word.ts';
import { code, cut, joined, type Markup, mrkdwn } from '../blocks/text.ts';

/** The worst first. */
const BY_TROUBLE = ['🔴', '🟠', '🟡', '⚠️', '❔', '⏳', '⏭️'];

export function inTroubleFirst(recipients: readonly Recipient[]): Recipient[] {
  return [...recipients].sort((a, b) => rank(a) - rank(b) || a.row - b.row);
}

function rank({ state }: Recipient): number {
  const at = BY_TROUBLE.indexOf(outcomeWords(state).emoji);
  return at === -1 ? BY_TROUBLE.length : at;
}

export function countsLine(recipients: readonly Recipient[]): Markup {
  const words = inTroubleFirst(recipients).map(({ state }) => outcomeWords(state));
  const kinds = new Map(words.map((one) => [one.emoji + one.word, one]));
  const lines = [...kinds].map(([kind, { emoji, word }]) => {
    const count = words.filter((one) => one.emoji + one.word === kind).length;
    return mrkdwn`${emoji} ${count} ${word}`;
  });
  return joined(lines, ' · ');
}

export function stateLine(state: RecipientState, who = mrkdwn``): Markup {
  const { emoji, word } = outcomeWords(state);
  const details = detailsOf(state);
  return mrkdwn`${emoji} ${who}${word}${details === '' ? '' : mrkdwn`: ${details}`}`;
}

export function outcomeWords(state: RecipientState): { readonly emoji: string; readonly word: string } {
  switch (state.is) {
    case 'refused':
      return { emoji: '🔴', word: 'not sent' };
    case 'unclear':
      return { emoji: '🟡', word: 'may or may not have been sent' };
    case 'awaited':
      return { emoji: '⏳', word: 'waiting to be listed' };
    case 'seen': {
      const outcome = outcomeOf(state.event, state.judgement);
      return { emoji: OUTCOME_EMOJI[outcome], word: OUTCOME_WORDS[outcome] };
    }
  }
}

function detailsOf(state: RecipientState): Markup | string {
  switch (state.is) {
    case 'refused':
      return answered(REFUSALS[state.status].why, state.errors);
    case 'unclear':
      return answered(state.status, state.errors);
    case 'awaited':
      return '';
    case 'seen':
      return seenDetails(state);
  }
}

/** A row with it still fits into a section. */
const LONGEST_ANSWER = 1_000;

/** With its errors (contract, "Trigger result"). */
function answered(status: string | null, errors: readonly string[]): string {
  return cut([status, errors.join('; ')].filter(Boolean).join(': '), LONGEST_ANSWER);
}

function seenDetails({ event, judgement }: Extract<RecipientState, { is: 'seen' }>): Markup | string {
  if (outcomeOf(event, judgement) === 'not-shown') return notShownReason(event);
  const failure = judgement.failures.find((one) => one.verdict === judgement.verdict);
  if (failure !== undefined) return mrkdwn`${channelVia(failure.channel, failure.provider)}, ${failure.cause.text}`;
  const open = judgement.steps.find(({ job }) => !isFinal(job));
  if (open !== undefined) return `${channelName(open.job.type)} ${open.job.status}`;
  const delivered = judgement.steps.filter(({ verdict, job }) => verdict === 'delivered' && isDelivery(job));
  return [...new Set(delivered.map(({ job }) => channelName(job.type)))].join(', ');
}

/** The service's statuses for what it refused (contract, operation 6), and how to fix it. */
const REFUSALS: Readonly<Record<RefusedStatus, { readonly why: string; readonly next: string }>> = {
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

export function answerLines(recipients: readonly Recipient[]): Markup[] {
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
