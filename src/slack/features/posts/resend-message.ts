import { writeIncidentRef } from '../../../incidents/incident-ref.ts';
import type { TriggerState } from '../../../sendings/trigger-states.ts';
import { actions, button, context, lineSections } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-values.ts';
import { runButton } from '../../kit/buttons.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { IN_PROGRESS, SENDING_REST, STATE_ORDER, stateWords } from '../../kit/sending-words.ts';
import { joined, type Line, listed, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { ContentOf } from './content.ts';

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
