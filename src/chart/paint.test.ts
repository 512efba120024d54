import { decode } from 'fast-png';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCanvas } from './canvas.ts';
import { CHARTS } from './charts.testing.ts';
import { layout } from './layout.ts';
import { type Letters, loadLetters } from './letters.ts';
import { paint } from './paint.ts';

const WORDS = { title: 'Failures', lines: [], legend: ['a', 'b', 'c', 'd'], timeZone: 'UTC' };

describe('a filled outline', () => {
  const covered = (outline: [number, number][]) => {
    const { pixels } = createCanvasWith(outline);
    return Array.from({ length: 16 }, (_, index) => 255 - (pixels[index * 3] ?? 0));
  };
  const createCanvasWith = (outline: [number, number][]) => {
    const canvas = createCanvas(4, 4, '#ffffff');
    canvas.fill([outline], '#000000');
    return canvas;
  };
  const box = (left: number, top: number, right: number, bottom: number): [number, number][] => [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];

  test('covers each pixel in proportion to what is inside', () => {
    expect(covered(box(1, 1, 2.5, 2))).toEqual([0, 0, 0, 0, 0, 255, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(
      covered([
        [0, 0],
        [2, 0],
        [0, 2],
      ]),
    ).toEqual([255, 127, 0, 0, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('is cut off at the edges', () => {
    expect(covered(box(-5, -5, 9, 9))).toEqual(Array(16).fill(255));
    expect(covered(box(-5, 3, 1, 9))).toEqual([...Array(12).fill(0), 255, 0, 0, 0]);
    expect(covered(box(7, 7, 9, 9))).toEqual(Array(16).fill(0));
  });
});

describe('a picture', () => {
  let letters: Letters;
  let png: Buffer;
  beforeAll(() => {
    letters = loadLetters();
    png = paint(layout(CHARTS.outage, WORDS, letters.measure), letters);
  });

  test('is a PNG of the drawing’s size with its background, ink and colors', () => {
    const { width, height, channels, data } = decode(png);
    const drawing = layout(CHARTS.outage, WORDS, letters.measure);
    expect({ width, height, channels }).toEqual({ width: 800, height: drawing.height, channels: 3 });
    const counts = new Map<string, number>();
    for (let at = 0; at < data.length; at += 3) {
      const color = [...data.slice(at, at + 3)].map((each) => each.toString(16).padStart(2, '0')).join('');
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    const share = (color: string) => (counts.get(color) ?? 0) / (width * height);
    expect(share('ffffff')).toBeGreaterThan(0.7);
    for (const color of ['d55e00', '0072b2', 'e69f00', '009e73']) expect(share(color)).toBeGreaterThan(0.005);
    expect(share('1d1c1d')).toBeGreaterThan(0.002);
  });

  test('is the same each time', () => {
    expect(paint(layout(CHARTS.outage, WORDS, letters.measure), letters).equals(png)).toBe(true);
  });
});
