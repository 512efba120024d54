import { beforeAll, describe, expect, test } from 'vitest';
import type { Chart } from '../domain/charts/chart.ts';
import { barsOf } from '../domain/charts/chart-facts.ts';
import { CHARTS } from './charts.testing.ts';
import type { Box, Drawing, Shape } from './drawing.ts';
import { layout } from './layout.ts';
import { type Letters, loadLetters } from './letters.ts';

let letters: Letters;
beforeAll(() => {
  letters = loadLetters();
});

const all = Object.entries<Chart>(CHARTS);

function drawn(chart: Chart): Drawing {
  const legend = chart.series.map(
    (_, index) => `${index} · a cause that is so long that no line has room for all of its words`,
  );
  const words = { title: 'Failures', lines: ['Wed 4 Mar'], legend, timeZone: 'Europe/Berlin' };
  return layout(chart, words, letters.measure);
}

const partsIn = ({ shapes }: Drawing) =>
  shapes.flatMap((shape) => (shape.is === 'box' && shape.part !== undefined ? [{ ...shape, part: shape.part }] : []));
const textsIn = ({ shapes }: Drawing) => shapes.flatMap((shape) => (shape.is === 'text' ? [shape] : []));

describe.each(all)('a drawing: %s', (_, chart) => {
  test('has bars whose stacked parts are as high as their counts', () => {
    const parts = partsIn(drawn(chart));
    const [first] = parts;
    const scale = (first?.height ?? 0) / (chart.series[first?.part.series ?? 0]?.counts[first?.part.bucket ?? 0] ?? 1);
    for (const { part, height } of parts) {
      expect(height).toBeCloseTo(scale * (chart.series[part.series]?.counts[part.bucket] ?? 0));
    }
    for (const [bucket, count] of barsOf(chart.series).entries()) {
      const bar = parts.filter(({ part }) => part.bucket === bucket);
      expect(bar.reduce((sum, { height }) => sum + height, 0)).toBeCloseTo(scale * count);
      for (const [index, { y }] of bar.entries()) {
        const below = bar[index - 1];
        if (below !== undefined) expect(y + (bar[index]?.height ?? 0)).toBeCloseTo(below.y);
      }
    }
  });

  test('keeps everything within its edges and never overlaps texts', () => {
    const drawing = drawn(chart);
    const places = textsIn(drawing).map(({ text, x, y, size, weight }) => ({
      text,
      ...{ left: x, right: x + letters.measure(text, size, weight), top: y - 0.7 * size, bottom: y },
    }));
    for (const { left, right, bottom } of places) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(drawing.width);
      expect(bottom).toBeLessThan(drawing.height);
    }
    const overlaps = places.flatMap((one, index) =>
      places
        .slice(index + 1)
        .filter((two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom)
        .map((two) => `${one.text} / ${two.text}`),
    );
    expect(overlaps).toEqual([]);
  });
});

describe('an unchecked range', () => {
  const hatched = (shape: Shape): shape is Box => shape.is === 'box' && shape.isHatched === true && shape.height > 100;

  test('is striped over the whole height, and the line of events stops there', () => {
    const drawing = drawn(CHARTS['three days']);
    const stripes = drawing.shapes.filter(hatched);
    expect(stripes).toHaveLength(3);
    const lines = drawing.shapes.flatMap((shape) => (shape.is === 'line' && shape.width === 2.5 ? [shape.points] : []));
    for (const [x] of lines.flat()) {
      expect(stripes.filter((each) => x > each.x + 6 && x < each.x + each.width - 6)).toEqual([]);
    }
  });

  test('is labeled if there is room', () => {
    const names = textsIn(drawn(CHARTS['little checked'])).filter(({ text }) => text === 'not checked');
    expect(names).toHaveLength(2);
    expect(textsIn(drawn(CHARTS.outage)).filter(({ text }) => text === 'not checked')).toEqual([]);
  });
});

test('marks show their time in the given zone', () => {
  const texts = textsIn(drawn(CHARTS.outage)).map(({ text }) => text);
  expect(texts).toContain('acknowledged 07:58');
  expect(texts).toContain('resolved 08:45');
  expect(texts).toContain('SendGrid changed 07:36');
});

test('the series of others is gray, and no two series share a color', () => {
  const colors = new Map(partsIn(drawn(CHARTS['many causes'])).map(({ part, color }) => [part.series, color]));
  expect(new Set(colors.values()).size).toBe(6);
  expect(colors.get(5)).toBe('#8c8c8c');
});

test('measures no more of a text than a picture has room for, however long it is', () => {
  let measured = 0;
  const measure: Letters['measure'] = (text, ...style) => {
    measured += text.length;
    return letters.measure(text, ...style);
  };
  const lines = ['i'.repeat(100_000)];
  const drawing = layout(CHARTS.outage, { title: 'Failures', lines, legend: [], timeZone: 'UTC' }, measure);
  expect(textsIn(drawing).find(({ text }) => text.startsWith('iii'))?.text).toMatch(/^i+…$/);
  expect(measured).toBeLessThan(200_000);
});
