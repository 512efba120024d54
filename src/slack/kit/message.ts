import type { KnownBlock, ModalView } from '@slack/types';
import type { z } from 'zod';
import {
  actions,
  context,
  type Lines,
  lineSections,
  type MessageBlock,
  OPTION_TEXT,
  option,
  section,
  TEXT_WITH_NAMES,
} from './blocks.ts';
import { RUN } from './buttons.ts';
import { type DataVisualizationBlock, distinctLabels } from './chart-block.ts';
import { cellMarkup, cellText, type DataTableBlock, EMPTY_CELL, isButton, tableLength } from './data-table.ts';
import { PLACEHOLDER_TEXT } from './inputs.ts';
import {
  bold,
  cutMarkup,
  grouped,
  type Inserted,
  joined,
  markupIn,
  mrkdwn,
  type Optional,
  plain,
  present,
} from './text.ts';

/** `text` is what screen readers and notifications say. */
export interface MessageContent {
  text: string;
  blocks: readonly MessageBlock[];
}

export function message(all: readonly Optional<MessageBlock>[]): MessageContent {
  const blocks = present(all);
  const text = joined(textBlocks(blocks).flatMap(textsOf), '\n');
  return { text: `${cutMarkup(text, TEXT_WITH_NAMES)}`, blocks };
}

function textsOf(block: KnownBlock) {
  if (block.type === 'context')
    return block.elements.flatMap((element) => (element.type === 'image' ? [] : [markupIn(element)]));
  const hasText = block.type === 'header' || block.type === 'section';
  return hasText && block.text ? [markupIn(block.text)] : [];
}

export function asMessage(lines: Lines, below: readonly MessageBlock[] = []): MessageContent {
  return message([section(lines), ...below]);
}

export function withNote({ blocks }: MessageContent, note: Inserted): MessageContent {
  return message([...blocks, context(note)]);
}

const MOST_MESSAGE_BLOCKS = 50;
/** `msg_blocks_too_long` occurs from about 13,200 with Slack's IDs (slackapi/bolt-js #2509). */
const BLOCKS_JSON = 12_400;
/** A limit for all cells of a table; Slack's pages say 10,000 or 20,000. */
const DATA_TABLE_TEXT = 9_000;

export function rowsMessage(
  head: readonly Optional<MessageBlock>[],
  rows: readonly (readonly Optional<MessageBlock>[])[],
  foot: readonly Optional<MessageBlock>[],
  moreWords: (more: number) => Inserted,
): MessageContent {
  return fittingMessage(rows.length, (shown) => {
    const more = rows.length - shown;
    return [...head, ...rows.slice(0, shown).flat(), more > 0 && context(moreWords(more)), ...foot];
  });
}

/** Shows as many rows as fit, at least one. */
export function fittingMessage(
  count: number,
  blocksFor: (shown: number) => readonly Optional<MessageBlock>[],
): MessageContent {
  let fitting = Math.min(1, count);
  let tooMany = count + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(present(blocksFor(middle)))) fitting = middle;
    else tooMany = middle;
  }
  return message(blocksFor(fitting));
}

export function fits(blocks: readonly MessageBlock[]): boolean {
  if (blocks.some((block) => block.type === 'data_table' && tableLength(block) > DATA_TABLE_TEXT)) return false;
  // A table may have to be sent as text.
  const texts = inOlderForm(blocks, new Set(['data_table']));
  return texts.length <= MOST_MESSAGE_BLOCKS && JSON.stringify(texts).length <= BLOCKS_JSON;
}

const VIEW_TITLE = 24;
const CLOSE = plain('Close', VIEW_TITLE);

export function resultView({ blocks }: Pick<Form, 'blocks'>, title = 'Notif'): ModalView {
  const texts = present(blocks).flatMap((block) => asTextBlocks(block, { hasTimeZones: true }));
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: texts };
}

export const waitingView = (title: string, text: Inserted): ModalView => resultView({ blocks: [section(text)] }, title);

export interface Form {
  callbackId: string;
  title: string;
  submit: string;
  blocks: readonly Optional<MessageBlock>[];
  kept?: object;
}

export function formView({ callbackId, title, submit, blocks, kept = {} }: Form): ModalView {
  return {
    ...resultView({ blocks }, title),
    callback_id: callbackId,
    submit: plain(submit, VIEW_TITLE),
    close: plain('Cancel', VIEW_TITLE),
    private_metadata: JSON.stringify(kept),
  };
}

export function keptIn<Kept>(schema: z.ZodType<Kept>, { privateMetadata }: { privateMetadata: string }): Kept {
  return schema.parse(JSON.parse(privateMetadata));
}

/** Modals and some workspaces don't accept these blocks. */
export type NewerKind = 'container' | 'data_table' | 'action_cell' | 'data_visualization';
export type RefusedKinds = ReadonlySet<string>;

export function hasNewerKinds(blocks: readonly MessageBlock[]): boolean {
  return blocks.some((block) => asTextBlocks(block)[0] !== block);
}

export function inOlderForm(blocks: readonly MessageBlock[], refused: RefusedKinds): MessageBlock[] {
  return blocks.flatMap((block) => {
    if (refused.has(block.type)) return asTextBlocks(block);
    return block.type === 'data_table' && refused.has('action_cell')
      ? [withoutButtons(block), ...lookUpSelect(block)]
      : [block];
  });
}

export const textBlocks = (blocks: readonly MessageBlock[]): KnownBlock[] =>
  blocks.flatMap((block) => asTextBlocks(block));

function asTextBlocks(block: MessageBlock, { hasTimeZones } = { hasTimeZones: false }): KnownBlock[] {
  switch (block.type) {
    case 'container':
      return [section(bold(block.title?.text ?? '')), ...textBlocks(block.child_blocks)];
    case 'data_table':
      return [
        section(bold(block.caption)),
        ...lineSections(rowLines(withoutButtons(block), hasTimeZones)),
        ...lookUpSelect(block),
      ];
    case 'data_visualization':
      return lineSections(pointLines(block));
    default:
      return [block];
  }
}

function withoutButtons(table: DataTableBlock) {
  const isOfButtons = (column: number) => table.rows.some((row) => row.slice(column, column + 1).some(isButton));
  return { ...table, rows: table.rows.map((row) => row.filter((_, column) => !isOfButtons(column))) };
}

function lookUpSelect({ rows }: DataTableBlock) {
  const buttons = rows.flat().filter(isButton);
  const labels = new Map(
    buttons.map(({ element: { value = '', accessibility_label: label = '' } }) => [value, label] as const),
  );
  const shownLabels = distinctLabels([...labels.values()], OPTION_TEXT);
  const options = present([...labels.keys()].map((value, index) => option(shownLabels[index] ?? '', value)));
  const placeholder = plain('Look up …', PLACEHOLDER_TEXT);
  return actions([options.length > 0 && { type: 'static_select', action_id: `${RUN}:look-up`, placeholder, options }]);
}

function rowLines({ rows }: DataTableBlock, hasTimeZones: boolean) {
  return rows.map((row, index) => {
    const cells = row.filter((cell) => cellText(cell) !== EMPTY_CELL);
    const line = joined(cells.map((cell) => cellMarkup(cell, hasTimeZones)));
    return index === 0 ? bold(line) : line;
  });
}

function pointLines({ title, chart: { series, axis_config: axis } }: DataVisualizationBlock) {
  const lines = axis.categories.flatMap((label, point) => {
    const values = series.flatMap(({ name, data }) => {
      const value = data[point]?.value ?? 0;
      return value === 0 ? [] : [series.length === 1 ? grouped(value) : `${grouped(value)} ${name}`];
    });
    return values.length === 0 ? [] : [mrkdwn`${label} · ${joined(values, ', ')}`];
  });
  const names = series.length === 1 ? series.map(({ name }) => name) : [];
  return [joined([bold(title), ...names, axis.x_label]), ...lines];
}
