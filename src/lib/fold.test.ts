import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNames } from '../watches/setting-values.ts';
import { bare, fold, isAmong, visible } from './fold.ts';
import { parseCommandText } from './input/filters.ts';

describe('a name as the service has it', () => {
  const names = ['Order – shipped', 'Customer’s receipt', 'Family 👨‍👩‍👧 alert', 'Order\u00a0shipped', 'ΟΔΟΣ', 'reçu'];

  test.each(names)('is found by itself in a command, which straightens what phones and Slack change: %j', (name) => {
    const { workflow = [] } = parseCommandText(`workflow:"${name}"`).filters;
    expect(isAmong([name], workflow)).toBe(true);
  });

  test.each([...names, 'Say “hi”'])('is found by itself in the form of a watch: %j', (name) => {
    expect(isAmong([name], parseNames('workflow', [name]))).toBe(true);
  });

  test('is found by what can be typed for it', () => {
    expect(isAmong(['Order – shipped'], ['order - shipped'])).toBe(true);
    expect(isAmong(['Customer’s receipt'], ["CUSTOMER'S RECEIPT"])).toBe(true);
    expect(isAmong(['order-shipped'], ['order shipped'])).toBe(false);
    expect(isAmong(['order_shipped'], ['order-shipped'])).toBe(false);
  });
});

test('a name is compared without case, in any normal form, and with any blanks between its words', () => {
  expect(fold('Order \u00a0 shipped')).toBe(fold('order shipped'));
  expect(fold('οδοσ')).toBe(fold('ΟΔΟΣ'));
  for (const name of ['STRASSE', 'STRAẞE']) expect(fold(name)).toBe(fold('straße'));
  expect(fold('re\u0063\u0327u')).toBe(fold('RE\u00c7U'));
});

test.each(['""user-1""', '“”user-1“”', "' user-1 '", '`user-1`', '\u200b“user-1”\u00a0'])(
  'an ID is bare without the quotes around it: %s',
  (typed) => {
    expect(bare(typed)).toBe('user-1');
  },
);

test.each(['user-کتاب\u200cخانه', 'user-क्\u200dष', 'user-👨\u200d👩\u200d👧'])(
  'an ID is asked for with the joiners of its words and emoji: %s',
  (id) => {
    expect(parseCommandText(`events subscriber:${id}`).filters).toEqual({ subscriber: [id] });
    expect(bare(`“${id}”`)).toBe(id);
  },
);

test('a joiner between Latin letters or at an edge of a word is left out', () => {
  expect(visible('\u200duser\u200c-\u200b1 کتاب\u200c')).toBe('user-1 کتاب');
});

test.each(["d'arcy", "'tis", "o'"])("an apostrophe of an ID's own stays: %s", (typed) => {
  expect(bare(typed)).toBe(typed);
});

test('a name that is folded twice, or written in another normal form, stays the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(fold(fold(name))).toBe(fold(name));
      expect(fold(name.normalize('NFD'))).toBe(fold(name));
    }),
    { numRuns: 100 },
  );
});
