import type { ActionsBlock, KnownBlock } from '@slack/types';
import { actions, lineSections, type MessageBlock, OPTION_TEXT, option, section } from './blocks.ts';
import { RUN } from './buttons.ts';
import { type DataVisualizationBlock, distinctLabels } from './chart-block.ts';
import { cellMarkup, cellText, type DataTableBlock, EMPTY_CELL, isButton } from './data-table.ts';
import { PLACEHOLDER_TEXT } from './inputs.ts';
import { bold, grouped, joined, type Markup, mrkdwn, plain, present } from './text.ts';

/** Blocks and elements that modals and some workspaces don't accept. */
export type NewerKind = 'container' | 'data_table' | 'action_cell' | 'data_visualization';
/** The newer kinds that this workspace refused. */
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

/** `hasTimeZones`: there is room for tokens of times, which Slack shows in the reader's zone, as there is in a modal. */
export function asTextBlocks(block: MessageBlock, { hasTimeZones } = { hasTimeZones: false }): KnownBlock[] {
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

/** Leaves out the columns that have buttons. */
function withoutButtons(table: DataTableBlock): DataTableBlock {
  const hasButtons = (column: number) => table.rows.some((row) => row.slice(column, column + 1).some(isButton));
  return { ...table, rows: table.rows.map((row) => row.filter((_, column) => !hasButtons(column))) };
}

/** Offers what the table's buttons look up. */
function lookUpSelect({ rows }: DataTableBlock): ActionsBlock[] {
  const labels = new Map<string, string>();
  for (const { element } of rows.flat().filter(isButton)) {
    labels.set(element.value ?? '', element.accessibility_label ?? '');
  }
  const shownLabels = distinctLabels([...labels.values()], OPTION_TEXT);
  const options = present([...labels.keys()].map((value, index) => option(shownLabels[index] ?? '', value)));
  const placeholder = plain('Look up …', PLACEHOLDER_TEXT);
  return actions([options.length > 0 && { type: 'static_select', action_id: `${RUN}:look-up`, placeholder, options }]);
}

function rowLines({ rows }: DataTableBlock, hasTimeZones: boolean): Markup[] {
  return rows.map((row, index) => {
    const cells = row.filter((cell) => cellText(cell) !== EMPTY_CELL);
    const line = joined(cells.map((cell) => cellMarkup(cell, hasTimeZones)));
    return index === 0 ? bold(line) : line;
  });
}

/** A line for each point that has a value. */
function pointLines({ title, chart: { series, axis_config: axis } }: DataVisualizationBlock): Markup[] {
  const isSingle = series.length === 1;
  const lines = axis.categories.flatMap((label, point) => {
    const values = series.flatMap(({ name, data }) => {
      const value = data[point]?.value ?? 0;
      return value === 0 ? [] : [isSingle ? grouped(value) : `${grouped(value)} ${name}`];
    });
    return values.length === 0 ? [] : [mrkdwn`${label} · ${joined(values, ', ')}`];
  });
  const name = isSingle ? series.map(({ name }) => name) : [];
  return [joined([bold(title), ...name, axis.x_label]), ...lines];
}
