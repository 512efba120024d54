import type { Environment } from '../../domain/environment.ts';
import type { TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { actions, context, divider, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { offsetButtons } from '../blocks/buttons/offset-buttons.ts';
import { mrkdwn } from '../blocks/text.ts';
import { triggerHeadline, troubleLine } from './message.ts';
import { answerLines, countsLine, inTroubleFirst, recipientRow } from './recipient-message.ts';

export const ROWS_TITLE = 'All rows';
/** The pages' buttons. */
export const ROWS_BACK = 'trigger.rows-back';
export const NEXT_ROWS = 'trigger.rows-next';

const ROWS_A_PAGE = 20;

/** A page of a trigger's rows, from an offset in display order, counted from 0. */
export interface RowsPage {
  readonly intent: string;
  readonly offset: number;
}

/** Builds a page of a trigger's rows, those in trouble first. */
export function rowsMessage(
  { offset }: RowsPage,
  { run, progress }: { readonly run: TriggerRun; readonly progress: TriggerProgress },
  environment: Environment,
): MessageContent {
  const { recipients, trouble } = progress;
  const headline = triggerHeadline(run, progress, environment);
  const shown = inTroubleFirst(recipients).slice(offset, offset + ROWS_A_PAGE);
  const which = mrkdwn`Rows by outcome: ${offset + 1}–${offset + shown.length} of ${recipients.length}`;
  const small = [
    countsLine(recipients),
    ...answerLines(recipients),
    ...(trouble === null ? [] : [troubleLine(trouble, { phase: 'finished' }, environment)]),
    which,
  ];
  return message(headline, [
    section(headline),
    context(...small),
    divider(),
    ...shown.map((recipient) => recipientRow(recipient, run, recipients.length)),
    ...actions(turns(run, offset, recipients.length)),
  ]);
}

function turns({ intent }: TriggerRun, offset: number, total: number) {
  return offsetButtons(
    'recipients',
    { offset, shown: ROWS_A_PAGE, pageSize: ROWS_A_PAGE, hasNext: offset + ROWS_A_PAGE < total },
    { previous: ROWS_BACK, next: NEXT_ROWS, write: (at) => writeValue([intent, String(at)]) },
  );
}

/** Says that a trigger is no longer kept. */
export const TEST_EXPIRED = sentence(mrkdwn`This test is no longer kept. Look its events up by their transaction IDs.`);

/** Parses the value of `ALL_ROWS` and of the pages' buttons. Null for anything else. */
export function parseRowsPage(value: string): RowsPage | null {
  const [intent, offset = '', ...others] = parseValue(value) ?? [];
  if (intent === undefined || others.length > 0 || !/^\d{1,3}$/.test(offset)) return null;
  return { intent, offset: Number(offset) };
}
