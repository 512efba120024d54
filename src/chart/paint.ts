import { type Canvas, createCanvas } from './canvas.ts';
import type { Box, Drawing, Line, Point } from './drawing.ts';
import type { Letters } from './letters.ts';
import { encodePng } from './png.ts';

/** Paints a drawing as a PNG file. The same drawing gives the same bytes. */
export function paint({ width, height, background, shapes }: Drawing, letters: Letters): Buffer {
  const canvas = createCanvas(width, height, background);
  for (const shape of shapes) {
    if (shape.is === 'text') canvas.fill(letters.outlines(shape), shape.color);
    else if (shape.is === 'box') paintBox(shape, canvas);
    else paintLine(shape, canvas);
  }
  return encodePng(width, height, canvas.pixels);
}

const STRIPES_APART = 10;
const STRIPE = 3;

function paintBox({ x, y, width, height, color, isHatched }: Box, canvas: Canvas): void {
  const corners: readonly Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  const stripes = (at: number, row: number) => ((at + row) % STRIPES_APART < STRIPE ? 1 : 0);
  canvas.fill([corners], color, isHatched ? stripes : undefined);
}

function paintLine({ points, width, color }: Line, canvas: Canvas): void {
  const pieces = points.slice(1).map((to, index) => ({ from: points[index] ?? to, to }));
  const outlines = pieces.flatMap(({ from, to }) => pieceOf(from, to, width / 2));
  const joints = points.slice(1, -1).map((point) => disc(point, width / 2));
  canvas.fill([...outlines, ...joints], color);
}

/** Returns the outlines of a piece of a line. All run in the same direction, so that overlapping ones are one area. */
function pieceOf([x0, y0]: Point, [x1, y1]: Point, half: number): (readonly Point[])[] {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return [];
  const [across, up] = [((y0 - y1) / length) * half, ((x1 - x0) / length) * half];
  return [
    [
      [x0 - across, y0 - up],
      [x1 - across, y1 - up],
      [x1 + across, y1 + up],
      [x0 + across, y0 + up],
    ],
  ];
}

function disc([x, y]: Point, radius: number): readonly Point[] {
  return Array.from({ length: 12 }, (_, index): Point => {
    const angle = (index / 12) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}
