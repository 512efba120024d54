import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from './errors.ts';
import { payloadTemplate, readPayload, readRecipients, readTransactionId } from './trigger.ts';

describe('reading recipients', () => {
  test('takes ids by line, comma or blank, each once', () => {
    expect(readRecipients('user-1\nuser-2, user-3  user-1;user-4')).toEqual(['user-1', 'user-2', 'user-3', 'user-4']);
  });

  test('refuses none', () => {
    expect(() => readRecipients(' \n ')).toThrow('Name at least one subscriber id.');
  });

  test('takes a hundred and refuses a hundred and one', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `user-${i}`).join('\n');
    expect(readRecipients(ids(100))).toHaveLength(100);
    expect(() => readRecipients(ids(101))).toThrow('101 subscribers, but at most 100 at once.');
  });
});

describe('reading a payload', () => {
  test('takes a JSON object, and nothing for an empty one', () => {
    expect(readPayload('{"orderId": "A-17"}').forTrigger()).toEqual({ orderId: 'A-17' });
    expect(readPayload('  ').isEmpty).toBe(true);
  });

  test('takes smart quotes as meant', () => {
    expect(readPayload('{“orderId”: “A-17”}').forTrigger()).toEqual({ orderId: 'A-17' });
  });

  test('leaves smart quotes alone where the JSON is right as it is', () => {
    expect(readPayload('{"text": "“hi”"}').forTrigger()).toEqual({ text: '“hi”' });
  });

  test.each(['[1]', '"text"', '12', 'null', 'true'])('refuses %s, which is not an object', (text) => {
    expect(() => readPayload(text)).toThrow('The payload has to be a JSON object.');
  });

  test('names the place where JSON ends being JSON, and repeats nothing of it', () => {
    expect(() => readPayload('{"token": secret-value}')).toThrow(InputError);
    expect(() => readPayload('{"token": secret-value}')).not.toThrow(/secret/);
  });

  test('refuses a megabyte', () => {
    expect(() => readPayload(JSON.stringify({ a: 'x'.repeat(1_000_000) }))).toThrow('at most 100000 characters');
  });

  test('throws nothing but an InputError, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readPayload(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });

  test('starts from the variables of the workflow', () => {
    expect(readPayload(payloadTemplate(['orderId', 'total'])).fields).toEqual(['orderId', 'total']);
  });
});

describe('reading a transaction id', () => {
  test('leaves an empty one to Notif', () => {
    expect(readTransactionId('  ', 3)).toBeNull();
  });

  test('takes one for a single recipient only', () => {
    expect(readTransactionId('mine-1', 1)).toBe('mine-1');
    expect(() => readTransactionId('mine-1', 2)).toThrow('one subscriber only');
  });

  test('refuses blanks inside', () => {
    expect(() => readTransactionId('a b', 1)).toThrow('without blanks');
  });
});
