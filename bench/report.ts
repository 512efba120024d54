import type { BenchResult, Figure } from './result.ts';

export function isMissed({ value, limit }: Figure): boolean {
  return limit !== undefined && !(value <= limit);
}

const HEADINGS = ['benchmark', 'figure', 'value', 'unit', 'limit', 'promise', 'against'];
const RIGHT_ALIGNED = new Set(['value', 'limit']);

export function tableOf(results: readonly BenchResult[]): string {
  const rows = results.flatMap(({ name, figures }) =>
    figures.map((figure, index) => [index === 0 ? name : '', ...cellsOf(figure)]),
  );
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lineOf = (row: readonly string[]) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return RIGHT_ALIGNED.has(HEADINGS[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  };
  return [HEADINGS, widths.map((width) => '-'.repeat(width)), ...rows].map(lineOf).join('\n');
}

function cellsOf(figure: Figure): string[] {
  const { label, value, unit, limit, against = '' } = figure;
  const promise = limit === undefined ? '' : isMissed(figure) ? 'MISSED' : 'kept';
  return [label, shown(value), unit, limit === undefined ? '' : shown(limit), promise, against];
}

/** Formats a value with three digits; the measurements are no more precise. */
function shown(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
