import type { DigestRow } from '../../../digests/message.ts';
import type { Environment } from '../../../lib/environment.ts';
import { actions, type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import { offsetButtons } from '../../kit/buttons.ts';
import { fitCount } from '../../kit/fit.ts';
import { incidentRow } from '../../kit/incident/incident-row.ts';
import { badge, code, mrkdwn } from '../../kit/text.ts';
import { reasonWords } from './message.ts';
import { type DigestPage, writeDigestPage } from './page-value.ts';

export const TURN_BACK = 'digest.turn-back';
export const NEXT_PAGE = 'digest.next';

const ROWS_A_PAGE = 10;

/** All that a digest tells of, as of now. */
export function digestPage(
  page: DigestPage,
  rows: readonly DigestRow[],
  labelOf: (environment: string) => Pick<Environment, 'label'>,
): MessageContent {
  const [first] = rows;
  if (first === undefined) return GONE;
  const { digestId, offset } = page;
  const drawing = { messageId: digestId, cause: null, namesPeople: true, isTerse: true };
  const drawn = rows
    .slice(offset, offset + ROWS_A_PAGE)
    .map((row) => incidentRow(row.incident, { ...drawing, beside: reasonWords(row, '') }));
  const title = (shown: number) =>
    mrkdwn`${badge(labelOf(first.incident.tally.kind.environment))} · incidents ${offset + 1}–${offset + shown} of ${rows.length}`;
  const { blocks, shown } = fitCount(drawn.length, (count) => [
    section(title(count)),
    ...drawn.slice(0, count).flat(),
    ...actions(
      offsetButtons(
        'incidents',
        { offset, shown: count, pageSize: ROWS_A_PAGE, hasNext: offset + count < rows.length },
        { previous: TURN_BACK, next: NEXT_PAGE, write: (at) => writeDigestPage({ digestId, offset: at }) },
      ),
    ),
  ]);
  return message(title(shown), blocks);
}

const GONE = sentence(
  mrkdwn`The incidents in that message are no longer kept. ${code('/notif failures since:2h')} shows what fails now.`,
);
