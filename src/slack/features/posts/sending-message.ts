import { writeIncidentRef } from '../../../incidents/incident-ref.ts';
import type { SentTo } from '../../../sendings/progress.ts';
import type { TriggerState } from '../../../sendings/trigger-states.ts';
import { actions, button, context, lineSections, section } from '../../kit/blocks.ts';
import { type LookupRequest, writeValue } from '../../kit/button-values.ts';
import { lookUpButton, lookUpText, runButton } from '../../kit/buttons.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { IN_PROGRESS, SENDING_REST, STATE_ORDER, stateWords } from '../../kit/sending-words.ts';
import { code, joined, type Line, listed, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { ContentOf } from './content.ts';

/** What the message shows of a test with any number of recipients. */
interface Shown {
  environment: string;
  headline: Markup;
  notes: readonly Line[];
}

/** `label` is the environment's. */
export function testMessage({ sending, tested }: ContentOf<'test'>, label: string): MessageContent {
  const { environment, actor, startedAt, endedAt } = sending;
  const worstFirst = tested.toSorted(
    (a, b) => STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) || a.row - b.row,
  );
  const [worst] = worstFirst;
  const open = tested.filter((recipient) => stateWords(recipient) === IN_PROGRESS).length;
  const emoji = emojiFor(endedAt !== null, open, worst);
  const shown: Shown = {
    environment,
    headline: mrkdwn`${emoji} Test of *${worst?.workflow ?? ''}* in ${label} · ${doneWords(tested.length, open)}`,
    notes: [
      mrkdwn`by ${person(actor)}, ${time(startedAt)}`,
      tested.some(({ state }) => state === 'sending') &&
        'No clear answer from the service: this may have gone through. Notif looks, and resends nothing.',
      endedAt && open > 0 && 'Not everything is final after 10 minutes: look it up later.',
    ],
  };
  return worst !== undefined && tested.length === 1
    ? singleMessage(shown, worst)
    : recipientsMessage(shown, worstFirst);
}

function emojiFor(isEnded: boolean, open: number, worst: SentTo | undefined) {
  if (!isEnded) return IN_PROGRESS.emoji;
  return open > 0 || worst === undefined ? '🟡' : stateWords(worst).emoji;
}

function doneWords(total: number, open: number) {
  if (total > 1) return `${total - open} of ${total} done`;
  return open === 0 ? 'done' : 'in progress';
}

function singleMessage({ environment, headline, notes }: Shown, recipient: SentTo): MessageContent {
  const { shownId, transactionId, state } = recipient;
  const line = mrkdwn`${outcomeLine(recipient, mrkdwn`${code(shownId)} `)} · ${code(transactionId, 255)}`;
  // The service made no event of what it refused.
  const button = state === 'refused' ? undefined : lookUpButton(requestOf(environment, recipient));
  return message([section(headline), section(line, button), context(...notes)]);
}

function recipientsMessage({ environment, headline, notes }: Shown, recipients: readonly SentTo[]): MessageContent {
  const total = recipients.length;
  const counts = [...new Set(recipients.map(stateWords))].map((words) => {
    const count = recipients.filter((recipient) => stateWords(recipient) === words).length;
    return mrkdwn`${words.emoji} ${count} ${words.word}`;
  });
  return listMessage({
    caption: (shown) =>
      shown === total ? headline : mrkdwn`${headline} · ${countWords('recipient', { shown, total })}`,
    columns: ['Subscriber', 'Outcome', 'No.'],
    rows: recipients.map((recipient) => {
      const { shownId, state, row } = recipient;
      const lookUp = state === 'refused' ? null : ([shownId, lookUpText(requestOf(environment, recipient))] as const);
      return { cells: [shownId, outcomeLine(recipient), row], lookUp };
    }),
    notes: [joined(counts), ...notes],
  });
}

const requestOf = (environment: string, { transactionId: id }: SentTo): LookupRequest => ({
  environment,
  target: { kind: 'transaction', id },
});

function outcomeLine(recipient: SentTo, who = mrkdwn``) {
  const { emoji, word } = stateWords(recipient);
  return mrkdwn`${emoji} ${who}${word}${recipient.why ? mrkdwn`: ${recipient.why}` : ''}`;
}

type ResendContent = ContentOf<'resend'>;

const PROGRESS = {
  sending: { emoji: '⏳', verb: 'Sending' },
  /** Nothing more is sent, and what was sent is followed to its end. */
  stopping: { emoji: '⏳', verb: 'Stopped sending' },
  stopped: { emoji: '🛑', verb: 'Stopped sending' },
  incomplete: { emoji: '⚠️', verb: 'Sent' },
  complete: { emoji: '✅', verb: 'Sent' },
};

export function resendMessage(content: ResendContent, label: string): MessageContent {
  const { sending: resend, incidentId, reasons } = content;
  const progress = progressOf(content);
  const { emoji, verb } = PROGRESS[progress];
  const figures = joined(figuresOf(content));
  const head = mrkdwn`${emoji} *${verb} again* what ${numberOf(incidentId)} broke in ${label} · ${figures}`;
  const causes = reasons.map(({ state, why, events }) => mrkdwn`• ${events} ${againWords(state)}: ${why}`);
  const isStopped = progress === 'stopped' || progress === 'stopping';
  const { refused = 0, failed = 0, unclear = 0, waiting = 0, sending = 0, delivered = 0 } = content.counts;
  const hasRest = isStopped || (resend.endedAt !== null && refused + failed + unclear + sending > 0);
  const again = `resend #${writeIncidentRef({ incidentId, code: content.code })}`;
  return message([
    ...lineSections([head, isStopped && stopWords(content), listed(causes, '\n')]),
    context(mrkdwn`by ${person(resend.actor)}, ${time(resend.startedAt)}`),
    ...actions([
      !isStopped && waiting + sending > 0 && runButton('Stop', `${again} stop`),
      hasRest && runButton('Send the rest…', again),
      delivered < totalOf(content.counts) && button('View the rest', SENDING_REST, writeValue([resend.id])),
    ]),
  ]);
}

function progressOf({ sending: { endedAt, stoppedAt }, counts, accepted }: ResendContent): keyof typeof PROGRESS {
  const total = totalOf(counts);
  if (stoppedAt !== null && accepted < total) return endedAt === null ? 'stopping' : 'stopped';
  if (endedAt === null) return 'sending';
  const { delivered = 0, skipped = 0, 'left-out': leftOut = 0 } = counts;
  return delivered + skipped + leftOut < total ? 'incomplete' : 'complete';
}

const totalOf = (counts: ResendContent['counts']): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function figuresOf({ sending: { endedAt }, counts }: ResendContent): readonly Line[] {
  const { delivered = 0, waiting = 0, sent = 0, sending = 0, unclear = 0 } = counts;
  const shown = { ...counts, unclear: unclear + sending };
  const others = STATE_ORDER.filter((state) => state !== 'delivered' && stateWords({ state }) !== IN_PROGRESS);
  return [
    mrkdwn`${delivered} of ${totalOf(counts)} got it`,
    ...others.map((state) => {
      const count = shown[state] ?? 0;
      return count > 0 && mrkdwn`${count} ${againWords(state)}`;
    }),
    waiting + sent > 0 && mrkdwn`${waiting + sent} ${endedAt === null ? 'pending' : 'not final yet'}`,
  ];
}

const againWords = (state: TriggerState): string => (state === 'failed' ? 'failed again' : stateWords({ state }).word);

function stopWords({ sending: { stoppedBy, lastRefusal } }: ResendContent) {
  if (stoppedBy !== null) return mrkdwn`Stopped by ${person(stoppedBy)}.`;
  const last = lastRefusal === null ? '' : mrkdwn`, last: ${lastRefusal}`;
  return mrkdwn`Stopped by itself: too many were refused${last}.`;
}
