/** Pixels from the upper left. */
export type Point = readonly [x: number, y: number];

/** '#rrggbb' */
export type Color = `#${string}`;

export type Weight = 'regular' | 'medium';

/** A text on its baseline, from its left end on. */
export interface Text {
  readonly is: 'text';
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly weight: Weight;
  readonly color: Color;
}

export interface Box {
  readonly is: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: Color;
  /** Stripes of the color instead of all of it. */
  readonly isHatched?: true;
  /** What of a chart it stands for: the part of a bar. */
  readonly part?: { readonly series: number; readonly bucket: number };
}

export interface Line {
  readonly is: 'line';
  readonly points: readonly Point[];
  readonly width: number;
  readonly color: Color;
}

export type Shape = Text | Box | Line;

/** A picture as a list of shapes, each over the ones before it. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: Color;
  readonly shapes: readonly Shape[];
}

/** How wide a text is, in pixels. */
export type Measure = (text: string, size: number, weight: Weight) => number;
