import type { Chart } from './chart.ts';

/** What is written in a picture, beside numbers and times. */
export interface PictureWords {
  readonly title: string;
  /** Of when it is, and what of it. */
  readonly lines: readonly string[];
  /** A name for each series, with how many failures it has. */
  readonly legend: readonly string[];
  /** IANA name: the zone of all times. */
  readonly timeZone: string;
}

/** A picture of a chart. */
export interface PictureRequest {
  readonly chart: Chart;
  readonly words: PictureWords;
}

/** Draws a picture as a PNG file. Rejects with a `PictureError`. */
export type DrawPicture = (request: PictureRequest) => Promise<Uint8Array>;

/** There is no picture; the numbers that it would have shown are known anyway. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}
