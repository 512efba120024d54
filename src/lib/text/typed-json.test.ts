import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { parseTypedObject } from './payload.ts';

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

test('a number that JavaScript would round is refused, and not the digits of a text', () => {
  expect(() => parse('{"a": [9007199254740993]}')).toThrow('Put it in quotes.');
  expect(parse('{"id": "9007199254740993", "n": 900719925474099, "d": 0.12345678901234567}')).toMatchObject({
    id: '9007199254740993',
  });
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
