import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whereNotJson } from './json-mistake.ts';

describe('the place of a JSON syntax error', () => {
  test.each([
    ['{"a": }', 6],
    ['{"a": 1,}', 8],
    ['{"a": secret}', 6],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1, 02]', 5],
    ['{"a": "never ends}', 6],
    ['{"a": [1, 2}', 11],
    ['{"a": 1', 7],
    ['{"a": 1} {', 9],
    [',', 0],
    ['', 0],
  ])('is found in %j', (text, place) => {
    expect(whereNotJson(text)).toBe(place);
  });

  test('is null for JSON, and a position for everything else', () => {
    const nearlyJson = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([json, at, typed]) => json.slice(0, at % (json.length + 1)) + typed + json.slice(at % (json.length + 1)));
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearlyJson, fc.string()), (text) => {
        const place = whereNotJson(text);
        expect(place === null).toBe(isJson(text));
        expect(place ?? 0).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
