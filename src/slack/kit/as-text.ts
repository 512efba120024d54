import type { KnownBlock } from '@slack/types';
import type { DataTableBlock, DataVisualizationBlock, MessageBlock } from './blocks.ts';
import { actions, distinct, lineSections, OPTION_TEXT, option, section } from './blocks.ts';
import { RUN } from './buttons.ts';
import { cellMarkup, cellText, EMPTY_CELL, isButton } from './data-table.ts';
import { PLACEHOLDER_TEXT } from './inputs.ts';
import { bold, grouped, joined, type Markup, mrkdwn, plain, present } from './text.ts';

/** Blocks and cells that no modal, and not every workspace, accepts. */
export type NewerKind = 'container' | 'data_table' | 'action_cell' | 'data_visualization';
export type NewerKinds = ReadonlySet<string>;

export function hasNewerKinds(blocks: readonly MessageBlock[]): boolean {
  return blocks.some((block) => textOf(block)[0] !== block);
}

export function inOlderForm(blocks: readonly MessageBlock[], refused: NewerKinds): MessageBlock[] {
  return blocks.flatMap((block) => {
    if (refused.has(block.type)) return textOf(block);
    return block.type === 'data_table' && refused.has('action_cell')
      ? [withoutButtons(block), ...lookUpSelect(block)]
      : [block];
  });
}

export const textBlocks = (blocks: readonly MessageBlock[]): KnownBlock[] => blocks.flatMap(textOf);

export function textOf(block: MessageBlock): KnownBlock[] {
  switch (block.type) {
    case 'container':
      return [section(bold(block.title?.text ?? '')), ...textBlocks(block.child_blocks)];
    case 'data_table':
      return [section(bold(block.caption)), ...lineSections(rowLines(withoutButtons(block))), ...lookUpSelect(block)];
    case 'data_visualization':
      return lineSections(pointLines(block));
    default:
      return [block];
  }
}

function withoutButtons(table: DataTableBlock): DataTableBlock {
  const isOfButtons = (column: number) => table.rows.some((row) => row.slice(column, column + 1).some(isButton));
  return { ...table, rows: table.rows.map((row) => row.filter((_, column) => !isOfButtons(column))) };
}

function lookUpSelect({ rows }: DataTableBlock) {
  const buttons = rows.flat().filter(isButton);
  const labels = new Map(
    buttons.map(({ element: { value = '', accessibility_label: label = '' } }) => [value, label] as const),
  );
  const distinctLabels = distinct([...labels.values()], OPTION_TEXT);
  const options = present([...labels.keys()].map((value, index) => option(distinctLabels[index] ?? '', value)));
  const placeholder = plain('Look up …', PLACEHOLDER_TEXT);
  return actions([options.length > 0 && { type: 'static_select', action_id: `${RUN}:look-up`, placeholder, options }]);
}

function rowLines({ rows }: Pick<DataTableBlock, 'rows'>): Markup[] {
  return rows.map((row, index) => {
    const line = joined(row.filter((cell) => cellText(cell) !== EMPTY_CELL).map(cellMarkup), ' · ');
    return index === 0 ? bold(line) : line;
  });
}

function pointLines({ title, chart: { series, axis_config: axis } }: DataVisualizationBlock): Markup[] {
  const lines = axis.categories.flatMap((label, point) => {
    const values = series.flatMap(({ name, data }) => {
      const value = data[point]?.value ?? 0;
      return value === 0 ? [] : [series.length === 1 ? grouped(value) : `${grouped(value)} ${name}`];
    });
    return values.length === 0 ? [] : [mrkdwn`${label} · ${joined(values, ', ')}`];
  });
  const names = series.length === 1 ? series.map(({ name }) => name) : [];
  return [joined([bold(title), ...names, axis.x_label], ' · '), ...lines];
}
