import type { Button, KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { actions, context, type MessageBlock, type MessageContent, message, section } from './blocks.ts';
import { type Cell, dataTable } from './data-table.ts';
import { fitCount } from './fit.ts';
import { MOST_ROWS, PLACEHOLDER_TEXT } from './limits.ts';
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

/**
 * Builds a list: a table, which people page and sort in Slack, with [Look up …] and buttons below it. It has as many rows as Slack accepts
 * with their choices, also as text, so that what comes next begins where it ends. Without rows only its caption.
 */
export function listMessage(list: List): MessageContent {
  const { blocks, shown } = fitCount(Math.min(list.rows.length, MOST_ROWS), (count) => listBlocks(list, count));
  return message(joined([list.caption(shown), ...(list.notes ?? [])], ' · '), blocks);
}

function listBlocks(list: List, shown: number): readonly MessageBlock[] {
  const { columns, summary = [], notes = [], lookUp, buttons = () => [], foot = [] } = list;
  const caption = list.caption(shown);
  const rows = list.rows.slice(0, shown);
  const table = { caption: cellText(richCell(caption)), columns, rows: rows.map(({ cells }) => cells) };
  const chooser = lookUp === undefined ? [] : chooserOf(rows, lookUp);
  return [
    ...summary,
    shown === 0 ? section(caption) : dataTable(table),
    ...(notes.length === 0 ? [] : [context(...notes)]),
    ...actions([...chooser, ...buttons(shown)]),
    ...foot,
  ];
}

function chooserOf(rows: readonly ListRow[], actionId: string): StaticSelect[] {
  const choices = rows.flatMap(({ choice = null }) => (choice === null ? [] : [choice]));
  const options = [...new Map(choices.map((choice) => [choice.value, choice])).values()];
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

/** Returns the last entry shown of a page that is listed newest first: what follows begins after it. Null if nothing follows. */
export function olderThan<Entry>(entries: readonly Entry[], hasOlder: boolean, shown: number): Entry | null {
  return hasOlder || shown < entries.length ? (entries[shown - 1] ?? null) : null;
}
