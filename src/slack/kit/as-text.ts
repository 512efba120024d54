import type { DataTableBlock, KnownBlock } from '@slack/types';
import { type DataVisualizationBlock, lineSections, type MessageBlock, section } from './blocks.ts';
import { cellMarkup, cellText } from './data-table.ts';
import { bold, grouped, joined, type Markup, mrkdwn, plain } from './text.ts';

/** Not every Slack and place accepts these. */
const NEWER_KINDS: ReadonlySet<string> = new Set(['container', 'data_table', 'data_visualization']);

export function hasNewerKinds(blocks: readonly MessageBlock[]): boolean {
  return blocks.some(({ type }) => NEWER_KINDS.has(type));
}

export function asText(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.flatMap(textOf);
}

export function textOf(block: MessageBlock): KnownBlock[] {
  switch (block.type) {
    case 'container':
      return [section(bold(block.title?.text ?? '')), ...asText(block.child_blocks)];
    case 'data_table':
      return [section(bold(block.caption)), ...lineSections(rowLines(block))];
    case 'data_visualization':
      return lineSections(pointLines(block));
    default:
      return [block];
  }
}

function rowLines({ rows }: Pick<DataTableBlock, 'rows'>): Markup[] {
  return rows.map((row, index) => {
    const filled = row.filter((cell) => cellText(cell) !== EMPTY_CELL);
    const line = joined(filled.map(cellMarkup), ' · ');
    return index === 0 ? bold(line) : line;
  });
}

const EMPTY_CELL = plain('', 1).text;

function pointLines({ title, chart: { series, axis_config: axis } }: DataVisualizationBlock): Markup[] {
  const lines = axis.categories.flatMap((label, point) => {
    const values = series.flatMap(({ name, data }) => {
      const value = data[point]?.value ?? 0;
      return value === 0 ? [] : [series.length === 1 ? grouped(value) : `${grouped(value)} ${name}`];
    });
    return values.length === 0 ? [] : [mrkdwn`${label} · ${joined(values, ', ')}`];
  });
  return [mrkdwn`${bold(title)} · ${axis.x_label}`, ...lines];
}
