import { writeIncidentRef } from '../../../lib/input/typed-values.ts';
import { OUTCOME_ORDER } from '../../../lookups/event.ts';
import type { Tested } from '../../../triggers/sending.ts';
import type { SendingState } from '../../../triggers/states.ts';
import { actions, context, lineSections, lookUpButton, lookUpText, runButton, section } from '../../kit/blocks.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { OUTCOME_EMOJI, outcomeWords } from '../../kit/outcomes.ts';
import { code, joined, listed, mrkdwn, person, time } from '../../kit/text.ts';
import type { ContentOf } from './content.ts';

const IN_PROGRESS = { emoji: '⏳', word: 'in progress' };

/** Outcomes are shown in this order, the worst first. */
const WORDS: { [State in SendingState]?: { emoji: string; word: string } } = {
  refused: { emoji: '🔴', word: 'not sent' },
  failed: { emoji: '🔴', word: 'failed' },
  unclear: { emoji: '❔', word: 'not known: it may have gone through' },
  'no-event': { emoji: '🟡', word: 'the service accepted it and made no event' },
  sent: IN_PROGRESS,
  sending: IN_PROGRESS,
  'left-out': { emoji: '⏭️', word: 'left out' },
  skipped: { emoji: '⏭️', word: 'skipped by design' },
  delivered: { emoji: '✅', word: 'delivered' },
};
const ORDER = Object.keys(WORDS) as SendingState[];

export function testMessage({ sending, tested }: ContentOf<'test'>, label: string): MessageContent {
  const { environment, actor, startedAt, endedAt } = sending;
  const sorted = tested.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.row - b.row);
  const [worst] = sorted;
  const total = tested.length;
  const open = tested.filter((recipient) => wordsOf(recipient) === IN_PROGRESS).length;
  const emoji = endedAt === null ? '⏳' : open > 0 || worst === undefined ? '🟡' : wordsOf(worst).emoji;
  const count = total > 1 ? `${total - open} of ${total} done` : open === 0 ? 'done' : 'in progress';
  const headline = mrkdwn`${emoji} Test of *${worst?.workflow ?? ''}* in ${label} · ${count}`;
  const notes = [
    mrkdwn`by ${person(actor)}, ${time(startedAt)}`,
    tested.some(({ state }) => state === 'sending') &&
      'No clear answer from the service: this may have gone through. Notif looks, and resends nothing.',
    endedAt && open > 0 && 'Not everything is final after 10 minutes: look it up later.',
  ];
  const requestOf = ({ transactionId: id }: Tested) => ({ environment, target: { kind: 'transaction', id } as const });
  if (worst !== undefined && total === 1) {
    const line = mrkdwn`${outcomeLine(worst, mrkdwn`${code(worst.shownId)} `)} · ${code(worst.transactionId, 255)}`;
    const button = worst.state === 'refused' ? undefined : lookUpButton(requestOf(worst));
    return message([section(headline), section(line, button), context(...notes)]);
  }
  const counts = [...new Set(sorted.map(wordsOf))].map((words) => {
    const count = sorted.filter((recipient) => wordsOf(recipient) === words).length;
    return mrkdwn`${words.emoji} ${count} ${words.word}`;
  });
  return listMessage({
    caption: (shown) =>
      shown === total ? headline : mrkdwn`${headline} · ${countWords('recipient', { shown, total })}`,
    columns: ['Subscriber', 'Outcome', 'No.'],
    rows: sorted.map((recipient) => {
      const { shownId, state, row } = recipient;
      const lookUp = state === 'refused' ? null : ([shownId, lookUpText(requestOf(recipient))] as const);
      return { cells: [shownId, outcomeLine(recipient), row], lookUp };
    }),
    notes: [joined(counts), ...notes],
  });
}

/** What failed has the word of its card. */
const FAILED_WORDS = new Map(
  OUTCOME_ORDER.map((outcome) => [outcome, { emoji: OUTCOME_EMOJI[outcome], word: outcomeWords(outcome) }]),
);

function wordsOf({ state, outcome = 'failed' }: Pick<Tested, 'state' | 'outcome'>) {
  return (state === 'failed' ? FAILED_WORDS.get(outcome) : undefined) ?? WORDS[state] ?? IN_PROGRESS;
}

function outcomeLine(recipient: Tested, who = mrkdwn``) {
  const { emoji, word } = wordsOf(recipient);
  return mrkdwn`${emoji} ${who}${word}${recipient.why ? mrkdwn`: ${recipient.why}` : ''}`;
}

export function resendMessage(
  { sending: resend, incidentId, code: incidentCode, counts, accepted, reasons }: ContentOf<'resend'>,
  label: string,
): MessageContent {
  const { endedAt, lastRefusal, stoppedBy } = resend;
  const { waiting = 0, sending = 0, sent = 0, delivered = 0, skipped = 0, 'left-out': leftOut = 0 } = counts;
  const { refused = 0, failed = 0 } = counts;
  const unclear = sending + (counts.unclear ?? 0);
  const shownCounts = { ...counts, unclear };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isStopped = accepted < total && resend.stoppedAt !== null;
  const isIncomplete = delivered + skipped + leftOut < total;
  const emoji = endedAt === null ? '⏳' : isStopped ? '🛑' : isIncomplete ? '⚠️' : '✅';
  const verb = isStopped ? 'Stopped sending' : endedAt === null ? 'Sending' : 'Sent';
  const figures = [
    mrkdwn`${accepted} of ${total} sent`,
    ...ORDER.map((state) => {
      const count = shownCounts[state] ?? 0;
      return count > 0 && WORDS[state] !== IN_PROGRESS && mrkdwn`${count} ${wordsOf({ state }).word}`;
    }),
    endedAt && sent > 0 && mrkdwn`${sent} not final yet`,
  ];
  const head = mrkdwn`${emoji} *${verb} again* what ${numberOf(incidentId)} broke in ${label} · ${joined(figures)}`;
  const last = lastRefusal === null ? '' : mrkdwn`, last: ${lastRefusal}`;
  const stopper = stoppedBy === null ? mrkdwn`itself: too many were refused${last}` : person(stoppedBy);
  const causes = reasons.map(({ state, why, events }) => mrkdwn`• ${events} ${wordsOf({ state }).word}: ${why}`);
  const hasRest = isStopped || (endedAt !== null && refused + failed + unclear > 0);
  const next = mrkdwn`→ Once it's fixed, send the rest again: ${code(`/notif resend #${incidentId}`)}`;
  const isRunning = !isStopped && waiting + sending > 0;
  return message([
    ...lineSections([head, isStopped && mrkdwn`Stopped by ${stopper}.`, listed(causes, '\n'), hasRest && next]),
    context(mrkdwn`by ${person(resend.actor)}, ${time(resend.startedAt)}`),
    ...actions([
      isRunning && runButton('Stop', `resend #${writeIncidentRef({ incidentId, code: incidentCode })} stop`),
    ]),
  ]);
}
