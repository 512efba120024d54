import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ScaleFigures, withFigures } from './capacity.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const page = read('../../docs/capacity.md');
const figures = ScaleFigures.parse(JSON.parse(read('figures.json')));

describe('docs/capacity.md', () => {
  test('shows the figures that were measured', () => {
    expect(page).toBe(withFigures(page, figures));
  });

  test('would not show others', () => {
    const other = { label: 'one process: environments', value: 7, unit: '' };
    expect(withFigures(page, { ...figures, figures: [other, ...figures.figures] })).not.toBe(page);
  });
});
