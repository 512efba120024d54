import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype, { type Font, type PathCommand } from 'opentype.js';
import type { Measure, Point, Text, Weight } from './drawing.ts';

/** The font of pictures. No system fonts are used, so that a picture is the same everywhere. */
export interface Letters {
  readonly measure: Measure;
  /** Returns the outlines of a text. A character that the font lacks is an empty box. */
  outlines(text: Text): readonly (readonly Point[])[];
}

const FILES: Readonly<Record<Weight, string>> = {
  regular: 'roboto-fontface/fonts/roboto/Roboto-Regular.woff',
  medium: 'roboto-fontface/fonts/roboto/Roboto-Medium.woff',
};

export function loadLetters(): Letters {
  const { resolve } = createRequire(import.meta.url);
  const load = (weight: Weight) => {
    const file = readFileSync(resolve(FILES[weight]));
    return opentype.parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.length), {
      // Parses only the letters that are drawn.
      lowMemory: true,
    });
  };
  const fonts = { regular: load('regular'), medium: load('medium') };
  const measure: Measure = (text, size, weight) =>
    [...text].reduce((width, character) => width + advanceOf(character, size, fonts[weight]), 0);
  return {
    measure,
    outlines: ({ text, x, y, size, weight }) => {
      const font = fonts[weight];
      let at = x;
      return [...text].flatMap((character) => {
        const { commands } = font.charToGlyph(character).getPath(at, y, size);
        at += advanceOf(character, size, font);
        return outlinesOf(commands);
      });
    },
  };
}

function advanceOf(character: string, size: number, font: Font): number {
  return ((font.charToGlyph(character).advanceWidth ?? 0) * size) / font.unitsPerEm;
}

/** The number of straight pieces that approximate a curve of a letter. */
const PIECES = 4;

function outlinesOf(commands: readonly PathCommand[]): Point[][] {
  const outlines: Point[][] = [];
  for (const command of commands) {
    if (command.type === 'M') {
      outlines.push([[command.x, command.y]]);
      continue;
    }
    const outline = outlines.at(-1);
    const from = outline?.at(-1);
    if (outline !== undefined && from !== undefined) outline.push(...piecesOf(from, command));
  }
  return outlines;
}

function piecesOf([x0, y0]: Point, command: PathCommand): Point[] {
  switch (command.type) {
    case 'Z':
      return [];
    case 'M':
    case 'L':
      return [[command.x, command.y]];
    case 'Q': {
      const { x1, y1, x, y } = command;
      return alongCurve((t, u) => [u * u * x0 + 2 * t * u * x1 + t * t * x, u * u * y0 + 2 * t * u * y1 + t * t * y]);
    }
    case 'C': {
      const { x1, y1, x2, y2, x, y } = command;
      return alongCurve((t, u) => [
        u ** 3 * x0 + 3 * t * u * u * x1 + 3 * t * t * u * x2 + t ** 3 * x,
        u ** 3 * y0 + 3 * t * u * u * y1 + 3 * t * t * u * y2 + t ** 3 * y,
      ]);
    }
  }
}

function alongCurve(pointAt: (t: number, u: number) => Point): Point[] {
  return Array.from({ length: PIECES }, (_, index) => pointAt((index + 1) / PIECES, 1 - (index + 1) / PIECES));
}
