import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines, placeOf } from './json-lines.ts';

const BLOCKS = { blocks: [{ type: 'section', text: { text: 'hello' } }, {}] };

test('jsonLines indents JSON and has the pointer of each value', () => {
  expect(jsonLines(BLOCKS).map(({ depth, text, pointer }) => [' '.repeat(depth) + text, pointer])).toEqual([
    ['{', ''],
    [' "blocks": [', '/blocks'],
    ['  {', '/blocks/0'],
    ['   "type": "section"', '/blocks/0/type'],
    ['   "text": {', '/blocks/0/text'],
    ['    "text": "hello"', '/blocks/0/text/text'],
    ['   }', null],
    ['  }', null],
    ['  {}', '/blocks/1'],
    [' ]', null],
    ['}', null],
  ]);
});

test('jsonLines cuts long texts and says how long they are', () => {
  const [drawn] = jsonLines('a'.repeat(3_001));
  expect(drawn?.text).toBe(`"${'a'.repeat(400)}" … (3,001 characters)`);
});

test.each([
  ['/blocks/0/text/text', '/blocks/0/text/text'],
  ['/blocks/1/text', '/blocks/1'],
  ['/blocks/7/text/text', '/blocks'],
  ['/view/title', ''],
])('placeOf finds the place of %s, or the nearest one around it', (pointer, place) => {
  expect(placeOf(pointer, jsonLines(BLOCKS))).toBe(place);
});

test('jsonLines gives every value of any JSON exactly one line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const places = jsonLines(value).flatMap(({ pointer }) => (pointer === null ? [] : [pointer]));
      expect(new Set(places).size).toBe(places.length);
      for (const place of places) expect(placeOf(place, jsonLines(value))).toBe(place);
    }),
  );
});
