import { restOf, type SentTo } from '../../../sendings/progress.ts';
import { sendingOf } from '../../../sendings/sending-rows.ts';
import type { SlackCtx } from '../../ctx.ts';
import { parseSingle } from '../../kit/button-values.ts';
import { lookUpText } from '../../kit/buttons.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { SENDING_REST, type StateWords, stateWords } from '../../kit/sending-words.ts';
import { joined, mrkdwn } from '../../kit/text.ts';
import { answerRoute, OldButtonError, type Route, routesFor } from '../../router/route.ts';

/** Those who didn't get what was sent again. */
export function restRoutes({ db }: SlackCtx): Route[] {
  const rest = answerRoute(SENDING_REST, parseSingle, async (id) => {
    const sending = await sendingOf(db, id);
    if (sending === null) throw new OldButtonError();
    return restMessage(sending.environment, await restOf(db, id, ROWS_LOADED + 1));
  });
  return routesFor('members', [rest]);
}

const wordsOf = ({ emoji, word }: StateWords) => `${emoji} ${word}`;

export function restMessage(environment: string, rest: readonly SentTo[]): MessageContent {
  const total = rest.length > ROWS_LOADED ? 'more' : rest.length;
  return listMessage({
    caption: (shown) =>
      shown === 0 ? '✅ Everybody got it' : mrkdwn`${countWords('notification', { shown, total })} without a delivery`,
    columns: ['Subscriber', 'Outcome', 'Workflow'],
    rows: rest.map((recipient) => ({
      cells: [recipient.shownId, joined([wordsOf(stateWords(recipient)), recipient.why], ': '), recipient.workflow],
      lookUp: [
        recipient.shownId,
        lookUpText({ environment, target: { kind: 'transaction', id: recipient.transactionId } }),
      ],
    })),
  });
}
