import type { SentTo } from '../../../sendings/progress.ts';
import { context, section } from '../../kit/blocks.ts';
import { lookUpButton, lookUpText } from '../../kit/buttons.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { IN_PROGRESS, STATE_ORDER, stateWords } from '../../kit/sending-words.ts';
import { code, joined, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { ContentOf } from './content.ts';

export function testMessage(content: ContentOf<'test'>, label: string): MessageContent {
  const { sending, tested } = content;
  const { environment, actor, startedAt, endedAt } = sending;
  const sorted = tested.toSorted(
    (a, b) => STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) || a.row - b.row,
  );
  const [worst] = sorted;
  const total = tested.length;
  const open = tested.filter((recipient) => stateWords(recipient) === IN_PROGRESS).length;
  const count = total > 1 ? `${total - open} of ${total} done` : open === 0 ? 'done' : 'in progress';
  const headline = mrkdwn`${emojiFor(content, open, worst)} Test of *${worst?.workflow ?? ''}* in ${label} · ${count}`;
  const notes = [
    mrkdwn`by ${person(actor)}, ${time(startedAt)}`,
    tested.some(({ state }) => state === 'sending') &&
      'No clear answer from the service: this may have gone through. Notif looks, and resends nothing.',
    endedAt && open > 0 && 'Not everything is final after 10 minutes: look it up later.',
  ];
  const requestOf = ({ transactionId: id }: SentTo) => ({ environment, target: { kind: 'transaction', id } as const });
  if (worst !== undefined && total === 1) {
    const line = mrkdwn`${outcomeLine(worst, mrkdwn`${code(worst.shownId)} `)} · ${code(worst.transactionId, 255)}`;
    const button = worst.state === 'refused' ? undefined : lookUpButton(requestOf(worst));
    return message([section(headline), section(line, button), context(...notes)]);
  }
  const counts = [...new Set(sorted.map(stateWords))].map((words) => {
    const count = sorted.filter((recipient) => stateWords(recipient) === words).length;
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

function emojiFor({ sending }: ContentOf<'test'>, open: number, worst: SentTo | undefined) {
  if (sending.endedAt === null) return IN_PROGRESS.emoji;
  return open > 0 || worst === undefined ? '🟡' : stateWords(worst).emoji;
}

function outcomeLine(recipient: SentTo, who = mrkdwn``) {
  const { emoji, word } = stateWords(recipient);
  return mrkdwn`${emoji} ${who}${word}${recipient.why ? mrkdwn`: ${recipient.why}` : ''}`;
}
