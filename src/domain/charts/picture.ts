import type { Chart } from './chart.ts';

/** The text in a picture, besides numbers and times. */
export interface PictureWords {
  readonly title: string;
  /** What the picture shows, and its time range. */
  readonly lines: readonly string[];
  /** A name for each series, with its number of failures. */
  readonly legend: readonly string[];
  /** IANA name of the time zone of all times. */
  readonly timeZone: string;
}

/** A picture of a chart. */
export interface PictureRequest {
  readonly chart: Chart;
  readonly words: PictureWords;
}

/** Draws a picture as a PNG file. Rejects with a `PictureError`. */
export type DrawPicture = (request: PictureRequest) => Promise<Uint8Array>;

/** The picture couldn't be made; its numbers are known anyway. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}
