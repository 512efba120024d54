import type { Button } from '@slack/types';
import { actions, button, context, isSendable, type MessageBlock, OPTION_TEXT, section } from './blocks.ts';
import { writeValue } from './button-values.ts';
import { type ListPage, RUN, runButton, shareButton } from './buttons.ts';
import { type Cell, dataTable } from './data-table.ts';
import { fittingMessage, type MessageContent } from './message.ts';
import { personal } from './published.ts';
import { shownText } from './rich-text.ts';
import { type Inserted, type Line, type Markup, mrkdwn, type Optional, plain, plural } from './text.ts';

/** Slack accepts this many rows and a header; some of its pages say 200. */
export const ROWS_LOADED = 100;

export interface ListRow {
  cells: readonly Cell[];
  /** What the row's button runs, and says to a screen reader. */
  lookUp?: readonly [label: string, command: string] | null;
}

interface List {
  /** `shown` is how many rows fit. */
  caption: (shown: number) => Inserted;
  columns: readonly string[];
  rows: readonly ListRow[];
  summary?: readonly MessageBlock[];
  notes?: readonly Line[];
  buttons?: (shown: number) => readonly Optional<Button>[];
}

export function listMessage(list: List): MessageContent {
  return fittingMessage(Math.min(list.rows.length, ROWS_LOADED), (shown) => listBlocks(list, shown));
}

export interface CommandList extends Omit<List, 'caption' | 'buttons'> {
  /** The command that [Load more] and [Share] run. */
  text: string;
  page?: ListPage | undefined;
  title: Inserted;
  /** Of an entry, in the singular. */
  noun: string;
  /** Of all entries, shown or not; null if nobody knows. */
  total?: number | null;
  /** The cursor after the rows that fit; null if nothing follows. */
  nextCursor?: (shown: number) => string | null;
  isShareable?: boolean;
  extraButton?: Optional<Button>;
  /** How many entries of this page couldn't be parsed. */
  unreadable?: number;
}

export function commandList(list: CommandList): MessageContent {
  const { text, page, title, noun, total = null, nextCursor = () => null, notes = [], unreadable = 0 } = list;
  const { isShareable = true, extraButton = false } = list;
  const offset = page?.offset ?? 0;
  const count = (shown: number): Markup => {
    const isAll = nextCursor(shown) === null;
    if (shown === 0) return mrkdwn`no ${offset === 0 ? '' : 'more '}${noun}s${isAll ? '' : '; there are more'}`;
    return countWords(noun, { offset, shown, total: total ?? (isAll ? offset + shown : 'more') });
  };
  const loadMore = (shown: number) => {
    const cursor = nextCursor(shown);
    return cursor !== null && personal(runButton('Load more', text, { offset: offset + shown, cursor }));
  };
  return listMessage({
    ...list,
    notes: [...notes, unreadable > 0 && mrkdwn`${unreadable} unreadable`],
    caption: (shown) => mrkdwn`${title} · ${count(shown)}`,
    buttons: (shown) => [loadMore(shown), ...(shown > 0 ? [extraButton, isShareable && shareButton(text, page)] : [])],
  });
}

function listBlocks(list: List, shown: number): Optional<MessageBlock>[] {
  const { columns, summary = [], notes = [], buttons = () => [] } = list;
  const caption = mrkdwn`${list.caption(shown)}`;
  const rows = list.rows.slice(0, shown);
  const hasLookUps = rows.some(({ lookUp }) => lookUp);
  const table = {
    caption: shownText(caption),
    // The first column is what a narrow screen shows, and a screen reader calls the row.
    columns: [...columns, ...(hasLookUps ? ['Details'] : [])],
    rows: rows.map((row, index) => [...row.cells, ...(hasLookUps ? [lookUpCell(row, index)] : [])]),
  };
  return [...summary, shown === 0 ? section(caption) : dataTable(table), context(...notes), ...actions(buttons(shown))];
}

function lookUpCell({ lookUp }: ListRow, index: number): Cell {
  if (!lookUp) return '';
  const [label, command] = lookUp;
  const cell = button('Look up', `${RUN}:${index}`, writeValue([command]));
  return isSendable(cell) ? { ...cell, accessibility_label: plain(label, OPTION_TEXT).text } : '';
}

/** '3 messages', '101–200 of 4,812 messages' */
export function countWords(
  noun: string,
  { offset = 0, shown, total }: { offset?: number; shown: number; total: number | 'more' },
): Markup {
  if (offset === 0 && shown === total) return plural(shown, noun);
  const range = offset === 0 ? mrkdwn`${shown}` : mrkdwn`${offset + 1}–${offset + shown}`;
  return total === 'more' ? mrkdwn`${range} ${noun}s; there are more` : mrkdwn`${range} of ${plural(total, noun)}`;
}

/** The cursor of a list that the newest entry begins: the ID of the last that is shown, null if no older one follows. */
export function olderCursor(entries: readonly { id: number }[], hasOlder: boolean, shown: number): string | null {
  return hasOlder || shown < entries.length ? (entries[shown - 1]?.id.toString() ?? null) : null;
}
