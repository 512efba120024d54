import type { Button, KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { actions, context, type MessageContent, message, section } from './blocks.ts';
import { type Cell, dataTable } from './data-table.ts';
import { sentLength } from './fit.ts';
import { BLOCKS_JSON, MOST_OPTIONS, PLACEHOLDER_TEXT } from './limits.ts';
import { cellText, richCell } from './rich-cell.ts';
import { joined, type Markup, mrkdwn, plain, plural } from './text.ts';

/** How many rows an answer loads at once. */
export const ROWS_LOADED = 100;

export interface ListRow {
  /** The first is what people look up. */
  readonly cells: readonly Cell[];
  /** How the row is chosen in the select below the table; null if there is nothing to look up. */
  readonly choice?: PlainTextOption | null;
}

export interface List {
  /** Says what is listed and how many: `shown` rows fit. */
  readonly caption: (shown: number) => Markup;
  readonly columns: readonly string[];
  readonly rows: readonly ListRow[];
  /** What stands above the table. */
  readonly summary?: readonly KnownBlock[];
  /** Short lines about what the list covers. */
  readonly notes?: readonly Markup[];
  /** The action ID of the select. */
  readonly lookUp?: string;
  /** The buttons below the table. */
  readonly buttons?: (shown: number) => readonly Button[];
  readonly foot?: readonly KnownBlock[];
}

/** Builds a list: a table, which people page and sort in Slack, with [Look up …] and buttons below it. Without rows only its caption. */
export function listMessage(list: List): MessageContent {
  const { columns, rows, summary = [], notes = [], lookUp, buttons = () => [], foot = [] } = list;
  const cells = rows.map((row) => row.cells);
  const { blocks: table, leftOut } = dataTable({
    caption: (count) => cellText(richCell(list.caption(count))),
    columns,
    rows: cells,
  });
  const shown = rows.length - leftOut;
  const caption = list.caption(shown);
  const head = [
    ...summary,
    ...(table.length === 0 ? [section(caption)] : table),
    ...(notes.length === 0 ? [] : [context(...notes)]),
  ];
  const below = buttons(shown);
  const room = BLOCKS_JSON - sentLength([...head, ...actions(below), ...foot]);
  const chooser = lookUp === undefined ? [] : chooserOf(rows.slice(0, shown), lookUp, room);
  return message(joined([caption, ...notes], ' · '), [...head, ...actions([...chooser, ...below]), ...foot]);
}

/** What a select needs beside its choices, in characters of JSON. */
const SELECT_JSON = 250;

function chooserOf(rows: readonly ListRow[], actionId: string, room: number): StaticSelect[] {
  const choices = rows.flatMap(({ choice = null }) => (choice === null ? [] : [choice]));
  const options: PlainTextOption[] = [];
  let used = SELECT_JSON;
  for (const choice of choices.slice(0, MOST_OPTIONS)) {
    if (options.some(({ value }) => value === choice.value)) continue;
    used += JSON.stringify(choice).length + 1;
    if (used > room) break;
    options.push(choice);
  }
  if (options.length === 0) return [];
  return [{ type: 'static_select', action_id: actionId, placeholder: plain('Look up …', PLACEHOLDER_TEXT), options }];
}

/** '3 changes', '100 of 340 messages', '101–200 of 340 messages', '101–200 of more messages' */
export function countWords(
  noun: string,
  { before, shown, total }: { readonly before: number; readonly shown: number; readonly total: number | 'more' },
): Markup {
  if (before === 0 && shown === total) return plural(shown, noun);
  const range = before === 0 ? mrkdwn`${shown}` : mrkdwn`${before + 1}–${before + shown}`;
  return total === 'more' ? mrkdwn`${range} ${noun}s; there are more` : mrkdwn`${range} of ${plural(total, noun)}`;
}
