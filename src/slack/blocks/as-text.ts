import type { DataTableBlock, KnownBlock } from '@slack/types';
import { type MessageBlock, section } from './blocks.ts';
import type { DataVisualizationBlock } from './chart-block.ts';
import { fits } from './fit.ts';
import { MOST_ROWS } from './limits.ts';
import { lineSections } from './line-sections.ts';
import { cellMarkup, cellText } from './rich-cell.ts';
import { bold, grouped, joined, type Markup, mrkdwn, plain, plural } from './text.ts';

/** The kinds of blocks that not every Slack accepts, and that not every place has. */
const NEWER_KINDS: ReadonlySet<string> = new Set(['alert', 'container', 'data_table', 'data_visualization']);

export function hasNewerKinds(blocks: readonly MessageBlock[]): boolean {
  return blocks.some(({ type }) => NEWER_KINDS.has(type));
}

/** Returns a message's blocks with those of the newer kinds as text. Of a table, as many rows as the message has room for. */
export function asText(blocks: readonly MessageBlock[]): readonly KnownBlock[] {
  for (let rows = MOST_ROWS; rows > 1; rows -= rows > 10 ? 10 : 1) {
    const texts = blocks.flatMap((block) => textOf(block, rows));
    if (fits(texts)) return texts;
  }
  return blocks.flatMap((block) => textOf(block, 1));
}

/** Returns a block as text, if it's of a newer kind. Of a table, the first rows. */
export function textOf(block: MessageBlock, mostRows: number): KnownBlock[] {
  switch (block.type) {
    case 'alert':
      return [
        { type: 'section', text: { ...block.text, text: `${EMOJI[block.level ?? 'default']} ${block.text.text}` } },
      ];
    case 'container':
      return [
        section(bold(block.title?.text ?? '')),
        ...block.child_blocks.flatMap((child) => textOf(child, mostRows)),
      ];
    case 'data_table':
      return [section(bold(block.caption)), ...lineSections(rowLines(block, mostRows))];
    case 'data_visualization':
      return lineSections(pointLines(block));
    default:
      return [block];
  }
}

const EMOJI = { default: '▪️', info: 'ℹ️', warning: '⚠️', error: '⛔', success: '✅' };

/** '*Workflow · Failures*', 'order-shipped · 48' and, if there are others, '… and 20 more rows'. */
function rowLines({ rows }: Pick<DataTableBlock, 'rows'>, mostRows: number): Markup[] {
  const lines = rows.slice(0, mostRows + 1).map((row) => {
    const filled = row.filter((cell) => cellText(cell) !== EMPTY_CELL);
    return joined(filled.map(cellMarkup), ' · ');
  });
  const left = rows.length - lines.length;
  const rest = left > 0 ? [mrkdwn`… and ${plural(left, 'more row')}`] : [];
  return [...lines.map((line, row) => (row === 0 ? bold(line) : line)), ...rest];
}

/** What `plain` makes of an empty text. */
const EMPTY_CELL = plain('', 1).text;

/** '*5 failures* · Europe/Berlin', '14:20 · 3 Email · SendGrid, 1 SMS · Twilio', without what is 0. */
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
