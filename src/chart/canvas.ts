import type { Color, Point } from './drawing.ts';

/** An image in memory in which outlines are filled. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Uint8Array;
  /**
   * Fills outlines. Those that run in the same direction and overlap are one area. `density` (0 to 1) returns how much of the color a pixel
   * takes.
   */
  fill(outlines: readonly (readonly Point[])[], color: Color, density?: (x: number, y: number) => number): void;
}

export function createCanvas(width: number, height: number, background: Color): Canvas {
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(channelsOf(background)));
  // Two columns more than are visible: an edge can end in the column after the last.
  const areas = new Float32Array((width + 2) * height);
  return {
    width,
    height,
    pixels,
    fill(outlines, color, density) {
      const points = outlines.flat();
      if (points.length === 0) return;
      const ys = points.map(([, y]) => y);
      const top = clamp(Math.floor(Math.min(...ys)), height);
      const bottom = clamp(Math.ceil(Math.max(...ys)), height);
      const left = clamp(Math.floor(Math.min(...points.map(([x]) => x))), width);
      for (const outline of outlines) addOutline(outline, areas, width, height);
      const channels = channelsOf(color);
      for (let y = top; y < bottom; y++) blendRow(y, left, channels, density);
    },
  };

  function blendRow(y: number, left: number, channels: Channels, density?: (x: number, y: number) => number): void {
    const row = y * (width + 2);
    let inside = 0;
    for (let x = left; x < width; x++) {
      inside += areas[row + x] ?? 0;
      const covered = Math.min(1, Math.abs(inside)) * (density?.(x, y) ?? 1);
      if (covered < 0.002) continue;
      const at = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const before = pixels[at + channel] ?? 0;
        pixels[at + channel] = Math.round(before + ((channels[channel] ?? 0) - before) * covered);
      }
    }
    areas.fill(0, row, row + width + 2);
  }
}

type Channels = readonly [red: number, green: number, blue: number];

function channelsOf(color: Color): Channels {
  const at = (index: number) => Number.parseInt(color.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}

/**
 * Adds how much each edge of an outline covers of the pixels to its right, signed by its direction. The running sum of a row is then
 * exactly how much of each pixel is inside, edges included (R. Levien, "Inside the fastest font renderer in the world").
 */
function addOutline(outline: readonly Point[], areas: Float32Array, width: number, height: number): void {
  for (const [index, from] of outline.entries()) {
    const to = outline[(index + 1) % outline.length] ?? from;
    addEdge(from, to, areas, width, height);
  }
}

function addEdge(from: Point, to: Point, areas: Float32Array, width: number, height: number): void {
  const direction = from[1] < to[1] ? 1 : -1;
  const [[x0, y0], [x1, y1]] = direction === 1 ? [from, to] : [to, from];
  if (y0 === y1) return;
  const slope = (x1 - x0) / (y1 - y0);
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, Math.ceil(y1)); y++) {
    const top = Math.max(y, y0);
    const bottom = Math.min(y + 1, y1);
    const xs = [x0 + (top - y0) * slope, x0 + (bottom - y0) * slope].map((x) => clamp(x, width));
    addSpan(Math.min(...xs), Math.max(...xs), direction * (bottom - top), y * (width + 2), areas);
  }
}

/** Adds the part of an edge within one row, from `left` to `right`: each pixel below it gets its share of the height. */
function addSpan(left: number, right: number, height: number, row: number, areas: Float32Array): void {
  const first = Math.floor(left);
  let before = 0;
  for (let x = first; x <= Math.floor(right) + 1; x++) {
    const covered = height * coveredUpTo(x + 1, left, right);
    areas[row + x] = (areas[row + x] ?? 0) + covered - before;
    before = covered;
  }
}

/** Returns the mean, over the pixel that ends at `x`, of how far the edge has been passed: 0 to 1. */
function coveredUpTo(x: number, left: number, right: number): number {
  const passed = (at: number) => {
    if (at <= left) return 0;
    if (at >= right) return at - (left + right) / 2;
    return (at - left) ** 2 / (2 * (right - left));
  };
  return passed(x) - passed(x - 1);
}
