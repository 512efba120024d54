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
  const edited = (change: object) => original.edited(new Payload({ ...original.masked(), ...change })).forTrigger();

  test('has the originals of the fields that were left, beside what was typed', () => {
    expect(edited({})).toEqual(original.forTrigger());
    expect(edited({ total: 13, apiKey: 'def', note: '', more: { a: [1] } })).toEqual({
      ...original.forTrigger(),
      ...{ total: 13, apiKey: 'def', note: '', more: { a: [1] } },
    });
  });

  test('has all originals if nothing was changed, whatever it contains', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
        const payload = new Payload(JSON.parse(JSON.stringify(content)));
        const typed = new Payload(JSON.parse(JSON.stringify(payload.masked())));
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

const parse = (text: string) => parseTypedObject('payload', text, '{"orderId": "A-17"}');

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

test.each(['9007199254740993', '-9007199254740993', '1e999'])(
  '%s is refused, which JavaScript would change',
  (number) => {
    expect(() => parse(`{"a": [${number}]}`)).toThrow('Put it in quotes.');
    expect(parse(`{"a": ["${number}"]}`)).toEqual({ a: [number] });
  },
);

/** Microseconds since 1970 have sixteen digits. */
test.each([1764201600123456, 9007199254740991, 0.1])('%d can be sent exactly', (number) => {
  expect(parse(`{"a": ${number}}`)).toEqual({ a: number });
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
