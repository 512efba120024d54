import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestTurnMs } from '../cpu.testing.ts';
import { atOnce, withPauses } from '../pauses.ts';
import { canonicalJson, exactValue, jsonText, writingFieldsAsText } from './json-text.ts';

const names = fc.constantFrom('payload', 'overrides', 'payload":', '\\', '"payload"', '__proto__', '1', ' payload');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), names),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}));
const json = fc.tuple(value, fc.nat(2)).map(([written, indent]) => JSON.stringify(written, null, indent));

/** Returns what the texts are to be parsed as. */
function withTexts(parsed: unknown): unknown {
  if (Array.isArray(parsed)) return parsed.map(withTexts);
  if (typeof parsed !== 'object' || parsed === null) return parsed;
  const isText = (name: string) => name === 'payload' || name === 'overrides';
  return Object.fromEntries(
    Object.entries(parsed).map(([name, inner]) => [name, isText(name) ? { text: inner } : withTexts(inner)]),
  );
}

test('fields become texts, and only they, whatever is in texts and names around them', () => {
  fc.assert(
    fc.property(json, (text) => {
      const reviver = (name: string, inner: unknown) =>
        name === 'payload' || name === 'overrides' ? { text: JSON.parse(String(inner)) } : inner;
      const read: unknown = JSON.parse(atOnce(writingFieldsAsText(text, ['payload', 'overrides'])), reviver);
      expect(read).toEqual(withTexts(JSON.parse(text)));
    }),
  );
});

test('JSON is read and written as it is, and an answer that breaks off is refused', () => {
  fc.assert(
    fc.property(json, fc.nat(), (text, at) => {
      expect(JSON.parse(jsonText(exactValue(text, 9), ' '))).toEqual(JSON.parse(text));
      expect(JSON.parse(canonicalJson(text))).toEqual(JSON.parse(text));
      const part = `{"data": [${text.slice(0, at % (text.length + 1))}`;
      expect(() => JSON.parse(atOnce(writingFieldsAsText(part, ['payload'])))).toThrow(SyntaxError);
    }),
  );
});

test.each([
  ['a single payload', 1, 200_000],
  ['many payloads', 20_000, 10],
])('other work gets its turns while 15 MB of %s become texts', async (_, events, rows) => {
  const payload = Array.from({ length: rows }, (__, n) => ({ id: n, raw: '"'.repeat(30) }));
  const text = JSON.stringify({ data: Array.from({ length: events }, () => ({ payload })) });
  expect(await longestTurnMs(() => withPauses(writingFieldsAsText(text, ['payload'])))).toBeLessThan(250);
});
