import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestTurnMs } from '../cpu.testing.ts';
import { atOnce, withPauses } from '../pauses.ts';
import { parsingJson } from './large-json.ts';
import { jsonIn } from './scrub.ts';

const inPieces = (text: string, piece: number) => atOnce(parsingJson(text, piece));

test('JSON is the same, in pieces of any size and however it is written', () => {
  const spaces = fc.constantFrom(0, 2, '\t\n ');
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), spaces, fc.integer({ min: 0, max: 60 }), (json, space, piece) => {
      const text = JSON.stringify(JSON.parse(json), null, space);
      expect(inPieces(text, piece)).toEqual(JSON.parse(text));
    }),
  );
});

test("text that breaks off, or goes on after its end, isn't JSON", () => {
  const cut = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', '}', ']', ',', '"', '\\', 'x', '[{'));
  fc.assert(
    fc.property(cut, fc.integer({ min: 0, max: 20 }), ([json, at, put], piece) => {
      const index = at % (json.length + 1);
      const text = json.slice(0, index) + put;
      expect(inPieces(text, piece)).toEqual(jsonIn(text));
    }),
  );
  for (const text of ['[[1],,[2]]', '[[1],]', '[1] [2]', '{"a":[1]', '[1]]', '[{]}', '"a', '['.repeat(5_000)])
    expect(inPieces(text, 0)).toBeUndefined();
});

test('a name that is special to JavaScript is a name', () => {
  const text = '{"__proto__":[[1,2],[3]],"a":{"constructor":[4]}}';
  expect(JSON.stringify(inPieces(text, 2))).toBe(text);
});

test('other work gets its turns while 20 MB are parsed', async () => {
  const text = JSON.stringify({
    data: Array.from({ length: 200 }, () => Array.from({ length: 1_000 }, (_, n) => ({ id: n, raw: '"'.repeat(40) }))),
  });
  expect(await longestTurnMs(() => withPauses(parsingJson(text)))).toBeLessThan(250);
});
