/** Pixels from the upper left corner. */
export type Point = readonly [x: number, y: number];

/** '#rrggbb' */
export type Color = `#${string}`;

export type Weight = 'regular' | 'medium';

/** A text on its baseline, starting at its left end. */
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
  /** Draws stripes of the color instead of a solid area. */
  readonly isHatched?: true;
  /** The part of a bar that the shape represents. */
  readonly part?: { readonly series: number; readonly bucket: number };
}

export interface Line {
  readonly is: 'line';
  readonly points: readonly Point[];
  readonly width: number;
  readonly color: Color;
}

export type Shape = Text | Box | Line;

/** A picture as a list of shapes, each drawn over the ones before it. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: Color;
  readonly shapes: readonly Shape[];
}

/** Returns how wide a text is, in pixels. */
export type Measure = (text: string, size: number, weight: Weight) => number;
