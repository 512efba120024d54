/**
 * The part of opentype.js 2 that Notif uses. The package has no types of its own (its README: "Loading a font", "Glyph", "Path commands").
 */
declare module 'opentype.js' {
  namespace opentype {
    export type PathCommand =
      | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
      | { readonly type: 'Q'; readonly x1: number; readonly y1: number; readonly x: number; readonly y: number }
      | {
          readonly type: 'C';
          readonly x1: number;
          readonly y1: number;
          readonly x2: number;
          readonly y2: number;
          readonly x: number;
          readonly y: number;
        }
      | { readonly type: 'Z' };

    export interface Glyph {
      readonly advanceWidth?: number;
      /** In pixels, with y downwards from the baseline at `y`. */
      getPath(x: number, y: number, fontSize: number): { readonly commands: readonly PathCommand[] };
    }

    export interface Font {
      readonly unitsPerEm: number;
      /** Returns the glyph for missing characters if the font lacks this one. */
      charToGlyph(character: string): Glyph;
    }

    export function parse(file: ArrayBuffer, options?: { readonly lowMemory?: boolean }): Font;
  }
  export = opentype;
}
