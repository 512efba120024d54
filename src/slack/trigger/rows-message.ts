import type { Environment } from '../../domain/environment.ts';
import type { TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { type MessageContent, sentence } from '../blocks/blocks.ts';
import { countWords, listMessage } from '../blocks/list.ts';
import { mrkdwn } from '../blocks/text.ts';
import { triggerHeadline, troubleLine } from './message.ts';
import { answerLines, countsLine, inTroubleFirst, stateLine } from './recipient-message.ts';

export const ROWS_TITLE = 'All rows';

/** Builds the list of a trigger's rows, those in trouble first. */
export function rowsMessage(
  { run, progress }: { readonly run: TriggerRun; readonly progress: TriggerProgress },
  environment: Environment,
): MessageContent {
  const { recipients, trouble } = progress;
  return listMessage({
    caption: (shown) => {
      const count = countWords('row', { before: 0, shown, total: recipients.length });
      return mrkdwn`${triggerHeadline(run, progress, environment)} · ${count}`;
    },
    columns: ['Row', 'Subscriber', 'Outcome'],
    rows: inTroubleFirst(recipients).map(({ row, subscriberId, state }) => ({
      cells: [row, subscriberId, stateLine(state)],
    })),
    notes: [
      countsLine(recipients),
      ...answerLines(recipients),
      ...(trouble === null ? [] : [troubleLine(trouble, { phase: 'finished' }, environment)]),
    ],
  });
}

export const TEST_EXPIRED = sentence(mrkdwn`This test is no longer kept. Look its events up by their transaction IDs.`);
