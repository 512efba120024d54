import fc from 'fast-check';

const UNIT = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

/** Any UTF-16 unit, also half a character, or a character of two: what may come from outside. fast-check's own list takes a second to make. */
export const anyCharacter = fc.oneof(
  { weight: 7, arbitrary: UNIT },
  fc.constantFrom('😀', '𠮷', '\u{E0041}', '\u{10FFFF}'),
);
