import { describe, expect, test } from 'vitest';
import { fieldName } from '../judging/answer-fields.ts';
import usual from './error-codes.cases.json' with { type: 'json' };
import { codesIn } from './error-codes.ts';
import { LONGEST_READ, parseError } from './error-text.ts';

const written = (codes: ReturnType<typeof codesIn>) =>
  codes.map(({ field, value }) => (field === null ? value : `${field}=${value}`));
const inText = (text: string) => written(codesIn(text));

describe('the codes that a text names', () => {
  test.each(usual)('are those in the usual places: %s', (text, ...codes) => {
    expect(inText(text)).toEqual(codes);
  });

  test.each(['550: nothing', 'the server said: 450 messages are waiting', 'a sentence (with words in brackets)'])(
    'are no numbers of anything else: %s',
    (text) => {
      expect(inText(text)).toEqual([]);
    },
  );

  test('are at most 60, in the first 2,000 characters, whatever blanks are around them', () => {
    expect(inText(`  Unregistered  `)).toEqual(['unregistered']);
    expect(inText('code: 12345, '.repeat(100))).toHaveLength(60);
    const far = (blanks: number) => parseError(`${'x '.repeat(blanks / 2)}: code: 12345`).codes;
    expect(far(LONGEST_READ - 20)).toContainEqual({ field: 'code', value: '12345' });
    expect(far(LONGEST_READ)).toEqual([]);
  });
});

test.each(['err-code', 'Err Code', 'errCode', 'ERR_CODE'])(
  'a field has one name, however it is written: %s',
  (name) => {
    expect(fieldName(name)).toBe('errcode');
  },
);
