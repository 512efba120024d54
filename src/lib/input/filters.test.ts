import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import cases from './filters.cases.json' with { type: 'json' };
import { commandText, FILTER_KEYS, onlyValue, parseCommandText, plainTyped } from './filters.ts';

const filters = (text: string) => parseCommandText(text).filters;
const words = (text: string) => parseCommandText(text).words;

describe('parseCommandText', () => {
  test.each(cases.filters)('parses $text', ({ text, read }) => {
    expect(filters(text)).toEqual(read);
  });

  test.each(cases.words)('extracts the words of $text', ({ text, read }) => {
    expect(words(text)).toEqual(read);
  });

  test.each([
    [
      ['channel', 'env'],
      "/notif list can't filter by status:. It takes channel:, env:.",
      '/notif list channel:email,sms',
    ],
    [[], "/notif list can't filter by status:. It takes no filters.", '/notif list'],
  ] as const)('names the filters of a command for an unknown one: %j', (taken, message, example) => {
    expect(() => parseCommandText('list status:500', { command: '/notif list', filters: taken })).toThrow(
      expect.objectContaining({ message, example }),
    );
  });

  test("suggests no filter that the command doesn't take", () => {
    expect(() => parseCommandText('list evn:prod', { command: '/notif list', filters: ['channel'] })).toThrow(
      'It takes channel:.',
    );
  });

  test.each(['project:42', 'oidc:123', 'billing:invoice-due', 'evn:prod'])(
    'takes %s as an argument where a command takes one, and only there',
    (argument) => {
      const taken = { command: '/notif topic', filters: ['env'], takesArgument: true } as const;
      const read = parseCommandText(`topic ${argument} env:eu`, taken);
      expect(read).toEqual({ words: ['topic', argument], filters: { env: ['eu'] } });
      expect(() => parseCommandText(`topic launch ${argument}`, taken)).toThrow(InputError);
    },
  );

  test.each(cases.refused)('refuses %s by name, with an example', (text, field, message) => {
    expect(() => parseCommandText(text)).toThrow(InputError);
    expect(() => parseCommandText(text)).toThrow(
      expect.objectContaining({
        field,
        message: expect.stringContaining(message),
        example: expect.stringContaining(':'),
      }),
    );
  });

  test('parses any quoted value back', () => {
    const value = fc.stringMatching(/^[ a-z0-9,:.'/#@-]+$/).filter((text) => text.trim() === text);
    const written = fc.dictionary(fc.constantFrom(...FILTER_KEYS), fc.array(value, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(written, (read) => {
        const text = Object.entries(read).map(
          ([key, values]) => `${key}:${values.map((each) => `"${each}"`).join(',')}`,
        );
        expect(filters(text.join(' '))).toEqual({ ...read });
      }),
    );
  });

  test('parses any text, or refuses it with an InputError', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...FILTER_KEYS, ':', ',', '"', "'", '“', '<http://', '|', '>', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          const read = parseCommandText(pieces.join(''));
          expect(Object.keys(read.filters).every((key) => FILTER_KEYS.some((known) => known === key))).toBe(true);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
        }
      }),
    );
  });
});

test.each([
  ['  failures since:2h ', 'failures since:2h'],
  ['note #17 “key rotated” &amp; restarted', 'note #17 "key rotated" & restarted'],
  ['ack #17 <@U0ANN|ann> in <#C0ONCALL|oncall>', 'ack #17 @ann in #oncall'],
])('plainTyped returns what was typed, without what Slack and phones make of it: %j', (text, typed) => {
  expect(plainTyped(text)).toBe(typed);
});

test('a filter that takes one value refuses several, with the first as the example', () => {
  expect(() => onlyValue('env', { env: ['staging', 'production'] })).toThrow(
    expect.objectContaining({ field: 'env', message: 'env: takes one value here.', example: 'env:staging' }),
  );
});

test('the text of a command is read as the same words and filters', () => {
  const text = fc.stringMatching(/^[\w@:,;<>& .-]{1,20}$/).filter((raw) => raw.trim() === raw);
  const topics = fc.record({ topic: fc.array(text, { minLength: 1, maxLength: 3 }) });
  fc.assert(
    fc.property(text, topics, (word, given) => {
      expect(parseCommandText(commandText(['topic', word], given))).toEqual({ words: ['topic', word], filters: given });
    }),
  );
});
