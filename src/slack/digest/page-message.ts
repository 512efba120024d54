import type { KnownBlock } from '@slack/types';
import type { DigestRow } from '../../domain/alerting/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import { badge } from '../blocks/badge.ts';
import { actions, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { offsetButtons } from '../blocks/buttons/offset-buttons.ts';
import { fitCount } from '../blocks/fit.ts';
import { incidentRow } from '../blocks/incident/incident-row.ts';
import { reasonWords } from '../blocks/incident/state-words.ts';
import { code, type Markup, mrkdwn } from '../blocks/text.ts';

export const TURN_BACK = 'digest.turn-back';
export const NEXT_PAGE = 'digest.next';

export const ROWS_A_PAGE = 10;

/** `offset` is counted from 0. */
export interface DigestPage {
  readonly digestId: string;
  readonly offset: number;
}

type LabelOf = (environment: string) => Pick<Environment, 'label'>;

export function announcedPage(
  page: DigestPage,
  { rows, total }: { readonly rows: readonly DigestRow[]; readonly total: number },
  labelOf: LabelOf,
): MessageContent {
  const drawing = { messageId: page.digestId, cause: null, namesPeople: true, isTerse: true };
  const drawn = rows.map((row) => incidentRow(row, { ...drawing, beside: reasonWords(row) }));
  return pageOf(page, drawn, total, rows[0] && labelOf(rows[0].tally.group.environment));
}

/** `environment` is undefined if nothing of it is kept. */
function pageOf(
  page: DigestPage,
  rows: readonly (readonly KnownBlock[])[],
  total: number,
  environment: Pick<Environment, 'label'> | undefined,
): MessageContent {
  if (environment === undefined) return sentence(GONE);
  const title = (shown: number) => titleOf(page, total, shown, environment);
  const { blocks, shown } = fitCount(rows.length, (count) => [
    section(title(count)),
    ...rows.slice(0, count).flat(),
    ...actions(turns(page, count, total)),
  ]);
  return message(title(shown), blocks);
}

const GONE = mrkdwn`The incidents in that message are no longer kept. ${code('/notif failures since:2h')} shows what fails now.`;

function titleOf(
  { offset }: DigestPage,
  total: number,
  shown: number,
  environment: Pick<Environment, 'label'>,
): Markup {
  return mrkdwn`${badge(environment)} · incidents ${offset + 1}–${offset + shown} of ${total} announced`;
}

function turns(page: DigestPage, shown: number, total: number) {
  const { offset } = page;
  return offsetButtons(
    'incidents',
    { offset, shown, pageSize: ROWS_A_PAGE, hasNext: offset + shown < total },
    { previous: TURN_BACK, next: NEXT_PAGE, write: (at) => writeDigestPage({ ...page, offset: at }) },
  );
}

export function writeDigestPage({ digestId, offset }: DigestPage): string {
  return writeValue([digestId, String(offset)]);
}

export function parseDigestPage(value: string): DigestPage | null {
  const [digestId, offset = '', ...others] = parseValue(value) ?? [];
  if (digestId === undefined || others.length > 0 || !/^\d{1,6}$/.test(offset)) return null;
  return { digestId, offset: Number(offset) };
}
