import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import {
  parseContext,
  parseOverrides,
  parsePayload,
  parseReference,
  parseTransactionId,
  payloadTemplate,
} from './trigger-input.ts';

describe('parsing a payload', () => {
  test('accepts a JSON object, and treats an empty one as no payload', () => {
    expect(parsePayload('{"orderId": "A-17"}').forTrigger()).toEqual({ orderId: 'A-17' });
    expect(parsePayload('  ').isEmpty).toBe(true);
  });

  test('converts smart quotes', () => {
    expect(parsePayload('{“orderId”: “A-17”}').forTrigger()).toEqual({ orderId: 'A-17' });
  });

  test('leaves smart quotes unchanged if the JSON is valid with them', () => {
    expect(parsePayload('{"text": "“hi”"}').forTrigger()).toEqual({ text: '“hi”' });
  });

  test.each([
    '{\u00a0"a b": "A\u00a017"}',
    '\ufeff{"a b": "A\u00a017"}',
    '{"a b": "A\u00a017"}\u200b',
    '{\n\u2003\u2003“a b”\u200b:\u202f“A\u00a017”}',
  ])('treats characters outside texts that look like nothing as blanks: %j', (text) => {
    expect(parsePayload(text).forTrigger()).toEqual({ 'a b': 'A\u00a017' });
  });

  test('leaves a text of the payload as it is, also with invisible characters', () => {
    expect(parsePayload('{"a": "\u200b👩‍🚀"}').forTrigger()).toEqual({ a: '\u200b👩‍🚀' });
    expect(parsePayload('{\u00a0"a": "say \\"\u200b\\""}').forTrigger()).toEqual({ a: 'say "\u200b"' });
  });

  test('names the place of a mistake as typed, whatever is around it', () => {
    expect(() => parsePayload('{\u00a0\u200b"a": 1,}')).toThrow('check line 1, column 11.');
    expect(() => parsePayload('{\u00a0"id": 9007199254740993}')).toThrow('The number at line 1, column 9');
  });

  test.each(['[1]', '"text"', '12', 'null', 'true'])('refuses %s, which is not an object', (text) => {
    expect(() => parsePayload(text)).toThrow('The payload must be a JSON object.');
  });

  test('names the place of a syntax error, and quotes nothing', () => {
    expect(() => parsePayload('{\n "token": secret-value}')).toThrow("This isn't JSON: check line 2, column 11.");
    expect(() => parsePayload('{"token": secret-value}')).not.toThrow(/secret/);
  });

  test.each([
    ['{"id": 9007199254740993}', 'line 1, column 8'],
    ['{"a": [{"id":\n-12345678901234567891}]}', 'line 2, column 1'],
    ['{"id": 1e400}', 'line 1, column 8'],
  ])('refuses a number that JSON.parse would round: %s', (text, place) => {
    expect(() => parsePayload(text)).toThrow(
      `The number at ${place} would be rounded or lost. Put it in quotes to send it as a text.`,
    );
  });

  test.each([
    '9007199254740991',
    '9007199254740992',
    '-0',
    '1e22',
    '0.1',
    '3.141592653589793238',
    '"9007199254740993"',
  ])('accepts %s', (value) => {
    expect(parsePayload(`{"value": ${value}}`).forTrigger()).toEqual({ value: JSON.parse(value) });
  });

  test.each([
    ['{"id": 1, "name": "a", "id": 2}', 'line 1, column 24'],
    ['{"a": [{"b": {}}, {"b": 1,\n"\\u0062": 1}]}', 'line 2, column 1'],
  ])('refuses a name that appears twice: %s', (text, place) => {
    expect(() => parsePayload(text)).toThrow(`The name at ${place} appears twice; the first value would be lost.`);
  });

  test('accepts a name in two objects, and as a value', () => {
    const text = '{"a": {"a": ["a", "a", {"a": "a"}]}, "b": "a"}';
    expect(parsePayload(text).forTrigger()).toEqual(JSON.parse(text));
  });

  test('refuses a megabyte', () => {
    expect(() => parsePayload(JSON.stringify({ a: 'x'.repeat(1_000_000) }))).toThrow('at most 100000 characters');
  });

  test('throws only InputErrors, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parsePayload(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });

  test('starts with the variables of the workflow', () => {
    expect(parsePayload(payloadTemplate(['orderId', 'total'], 3_000)).fields).toEqual(['orderId', 'total']);
  });
});

test('leaves a form empty whose template is longer than its field', () => {
  const template = '{\n  "orderId": ""\n}';
  expect(payloadTemplate(['orderId'], template.length)).toBe(template);
  expect(payloadTemplate(['orderId'], template.length - 1)).toBe('');
});

describe('a refusal', () => {
  const LONGEST = 'x'.repeat(255);
  test.each<[string, () => unknown, string, string | null]>([
    ['a payload', () => parsePayload('{'), 'payload', '{"orderId": "A-17"}'],
    ['overrides', () => parseOverrides('{'), 'overrides', '{"sendgrid": {"templateId": "d-17"}}'],
    ['a transaction ID', () => parseTransactionId(`${LONGEST}x`, 1), 'transaction', 'test-2026-11-20-1'],
    ['a transaction ID for several', () => parseTransactionId('mine-1', 2), 'transaction', null],
    ['an actor', () => parseReference('actor', 'a b'), 'actor', 'test-2026-11-20-1'],
    ['a context', () => parseContext('a b:c'), 'context', 'region:eu'],
    ['a context with a name twice', () => parseContext('region:eu\nregion:us'), 'context', null],
  ])('names the field, with an example of %s', (_, parsing, field, example) => {
    expect(parsing).toThrow(expect.objectContaining({ name: 'InputError', field, example }));
  });

  test('is of what is too long, and of nothing shorter', () => {
    expect(parseReference('tenant', LONGEST)).toBe(LONGEST);
    const long = (length: number) => ` {"a":"${'x'.repeat(length - 8)}"} `;
    expect(parsePayload(long(100_000)).fields).toEqual(['a']);
    expect(() => parsePayload(long(100_001))).toThrow('The payload can have at most 100000 characters.');
  });
});

describe('parsing the options', () => {
  test('accepts overrides as a JSON object, and none if empty', () => {
    expect(parseOverrides('{"sendgrid": {"templateId": "d-17"}}')?.forTrigger()).toEqual({
      sendgrid: { templateId: 'd-17' },
    });
    expect(parseOverrides(' ')).toBeNull();
    expect(() => parseOverrides('[]')).toThrow('The overrides must be a JSON object.');
  });

  test('accepts an actor or a tenant as one word', () => {
    expect(parseReference('actor', ' user-1 ')).toBe('user-1');
    expect(parseReference('actor', '')).toBeNull();
    expect(parseReference('actor', '\u200b')).toBeNull();
    expect(parseReference('actor', '\u2068user-1\u2069\u00a0')).toBe('user-1');
    expect(parseReference('actor', '“user-1”')).toBe('user-1');
    expect(parseReference('actor', '`user-1`')).toBe('user-1');
    expect(() => parseReference('tenant', 'a b')).toThrow('without spaces');
  });

  test('accepts context as names with values, one per line', () => {
    expect(parseContext('region:eu\n\n shop : berlin: mitte ')).toEqual({ region: 'eu', shop: 'berlin: mitte' });
    expect(parseContext('\u200bregion:\u00a0eu\u200b')).toEqual({ region: 'eu' });
    expect(parseContext(' \n')).toBeNull();
    expect(() => parseContext('region:eu\nshop')).toThrow("Line 2 isn't a name with its value.");
    expect(() => parseContext('region:eu\nregion:us')).toThrow('A name appears twice.');
  });
});

describe('parsing a transaction ID', () => {
  test('leaves an empty one to Notif', () => {
    expect(parseTransactionId('  ', 3)).toBeNull();
  });

  test('accepts one only for a single event', () => {
    expect(parseTransactionId('mine-1', 1)).toBe('mine-1');
    expect(() => parseTransactionId('mine-1', 2)).toThrow('single subscriber only');
  });

  test('refuses whitespace inside', () => {
    expect(() => parseTransactionId('a b', 1)).toThrow('without spaces');
  });
});
