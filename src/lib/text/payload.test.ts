import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { Payload, parseTypedObject } from './payload.ts';

test('a payload becomes JSON only masked, in every way', () => {
  expect(JSON.stringify({ payload: new Payload({ apiKey: 'abc', mail: 'anna@example.com' }) })).toBe(
    '{"payload":{"apiKey":"•••","mail":"a•••@example.com"}}',
  );
});

describe('a payload that was edited in its masked form', () => {
  const original = new Payload({
    apiKey: 'abc',
    total: 12,
    to: [{ mail: 'anna@example.com', name: 'Anna' }, { mail: 'ben@example.com' }],
    note: 'for anna@example.com',
  });
  const edited = (change: object) =>
    original.edited(new Payload({ ...JSON.parse(original.masked()), ...change })).content;

  test('has the originals of the fields that were left, beside what was typed', () => {
    expect(edited({})).toEqual(original.content);
    expect(edited({ total: 13, apiKey: 'def', note: '', more: { a: [1] } })).toEqual({
      ...original.content,
      total: 13,
      apiKey: 'def',
      note: '',
      more: { a: [1] },
    });
  });

  test('has all originals if nothing was changed, whatever it contains', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
        const payload = new Payload(JSON.parse(JSON.stringify(content)));
        const typed = new Payload(payload.masked('  '));
        expect(payload.edited(typed).forTrigger()).toEqual(payload.forTrigger());
      }),
    );
  });

  test.each([
    [{ otherKey: '•••' }],
    [{ note: 'now for b•••@example.com' }],
    [{ to: [{ mail: 'b•••@example.com' }, { mail: 'a•••@example.com' }] }],
    [{ apiKey: ['•••'] }],
    [{ toString: '•••' }],
    [{ 'a•••@example.com': 1 }],
  ])('is refused if a field that was changed still has a mask: %j', (change) => {
    expect(() => edited(change)).toThrow('A field that was changed still has a masked value (•••).');
  });
});

const parse = (text: string) => parseTypedObject('payload', text, '{"orderId": "A-17"}').content;

test('a JSON object is parsed, and nothing typed is an empty one', () => {
  expect(parse('{"orderId": "A-17", "text": "“hi”"}')).toEqual({ orderId: 'A-17', text: '“hi”' });
  expect(parse('  ')).toEqual({});
});

test('what phones and web pages insert counts as plain quotes and blanks', () => {
  expect(parse('\ufeff{\u00a0“orderId”\u200b: “A-17”}')).toEqual({ orderId: 'A-17' });
});

test.each(['[1]', '"text"', '12', 'null'])('%s is refused, which is not an object', (text) => {
  expect(() => parse(text)).toThrow('The payload must be a JSON object.');
});

test('a mistake is named without quoting what was typed', () => {
  expect(() => parse('{"token": secret-value}')).toThrow("This isn't JSON");
  expect(() => parse('{"token": secret-value}')).not.toThrow(/secret/);
});

const EXACT = [
  ...['{"orderId": 9007199254740993}', '{"a":[-0, 1.0, 1e2, 1E400, -1e-400, 0.1000000000000000055]}'],
  ...[`{"a": {"b": [[${'9'.repeat(40)}]]}}`, '{"10": 1, "9": 2, "9007199254740993": 3}', '{"a": 1, "b": 2, "a": 3}'],
  ...['{"__proto__": {"a": 1}, "constructor": 2}', '{"a": "1.0", "b": "9007199254740993"}'],
  ...['{"a": "\\u00e9\\/\\ud83d", "\\u0061": "\\\\", "b": "]}\\",{["}', '{ "a" :\n{ } , "b" : [ ] }'],
];

test.each(EXACT)('%s is sent as it came: as it was typed, and as it was left in its masked form', (json) => {
  const payload = parseTypedObject('payload', json, '');
  const shown = new Payload(payload.masked('  '));
  expect([payload, payload.edited(shown)].map((each) => each.forTrigger().text)).toEqual([json, json]);
  const members = [...payload.members()].map(([name, { text }]) => `${JSON.stringify(name)}:${text}`);
  const edited = payload.edited(shown.with(new Payload({ more: 1 }))).forTrigger().text;
  for (const member of [...members, '"more":1']) expect(edited).toContain(member);
});

test('a payload is shown digit for digit, and a phone number among the digits masked', () => {
  const payload = new Payload('{"id": 12345678901234567890, "price": 1.10, "rest": [1e400, {"phone": 491701234567}]}');
  expect(payload.masked()).toBe('{"id":12345678901234567890,"price":1.10,"rest":[1e400,{"phone":"•••67"}]}');
});

test('half a surrogate pair that was typed is sent as its escape', () => {
  expect(new Payload('{"a": "\ud83d 😀"}').forTrigger().text).toBe('{"a": "\\ud83d 😀"}');
});

test('payloads are equal only if they say the same, digit for digit', () => {
  const [one, ...others] = ['9007199254740993', '9007199254740992', '"9007199254740993"', '9007199254740993.0'];
  const equals = (json: string) => new Payload(`{"a": ${one}}`).equals(new Payload(json));
  expect(others.map((other) => equals(`{"a": ${other}}`))).toEqual([false, false, false]);
  expect([equals(` {"\\u0061":${one}\n}`), equals(`{"a": ${one}, "a": ${one}}`)]).toEqual([true, false]);
});

test('only InputErrors are thrown, whatever is typed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        parse(text);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
  );
});
