import { describe, expect, test } from 'vitest';
import { ConfigError } from '../lib/errors.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { createExplainCause } from './explain-cause.ts';
import { causesIn } from './load-causes.ts';

function problems(yaml: string): string {
  try {
    causesIn(yaml);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ problem, example }) => `${problem} · ${example}`).join('\n');
    throw error;
  }
  throw new Error('The file was accepted.');
}

const ENTRY = `
  - code: "30007"
    meaning: The carrier blocks our sender.
    whose: setup
    next: Ask the messaging team.`;

describe('NOTIF_CAUSES_FILE', () => {
  test('reads entries with codes, texts, a time and a link', () => {
    const yaml = `causes:${ENTRY}
    provider: twilio
    text: [the carrier blocked our sender, blocked by the carrier]
    again: 2h
    link: https://wiki.example.com/30007
  - { code: [21211, 21614], channel: sms, short: number gone, meaning: Old number, whose: recipient, again: never, next: Ask them. }`;
    const usual = {
      kind: 'any',
      patterns: [],
      near: 12,
      broad: false,
      common: null,
      wins: [],
      loses: [],
      status: null,
    };
    expect(causesIn(yaml)).toEqual([
      {
        ...usual,
        providers: ['twilio'],
        channel: null,
        codes: ['30007'],
        whose: 'setup',
        again: 120,
        texts: ['the carrier blocked our sender', 'blocked by the carrier'],
        meaning: 'The carrier blocks our sender',
        headline: 'carrier blocks our sender',
        next: 'Ask the messaging team.',
        source: 'https://wiki.example.com/30007',
      },
      {
        ...usual,
        providers: [],
        channel: 'sms',
        codes: ['21211', '21614'],
        whose: 'recipient',
        again: 'never',
        texts: [],
        meaning: 'Old number',
        headline: 'number gone',
        next: 'Ask them.',
        source: null,
      },
    ]);
  });

  test.each<[what: string, yaml: string, problem: string]>([
    ['no YAML', 'causes: [', "isn't valid YAML, at line 1"],
    ['no list', 'causes: none', 'causes: Invalid input: expected array'],
    ['another shape', '- a', 'its file: Invalid input: expected object'],
    ['a wrong word', `causes:${ENTRY.replace('setup', 'theirs')}`, 'causes[0].whose: Invalid option: expected one of'],
    ['a missing field', `causes:${ENTRY.replace('next', 'nxt')}`, 'causes[0].next: Invalid input'],
    ['an unknown field', `causes:${ENTRY}\n    fix: x`, 'causes[0]: Unrecognized key: "fix"'],
    [
      'never of nobody known',
      `causes:${ENTRY.replace('setup', 'unknown')}\n    again: never`,
      'causes[0]: is of nobody known',
    ],
    ['a wrong time', `causes:${ENTRY}\n    again: soon`, 'causes[0].again: is neither never, once-fixed nor a time'],
    ['an http link', `causes:${ENTRY}\n    link: http://x.example`, "causes[0].link: isn't an https address"],
    [
      'a long meaning alone',
      `causes:${ENTRY.replace('The', 'x'.repeat(40))}`,
      'causes[0]: has a long meaning and no "short"',
    ],
    ['a long headline', `causes:${ENTRY}\n    short: ${'x'.repeat(61)}`, 'causes[0].short: Too big'],
    ['one word as text', `causes:${ENTRY}\n    text: blocked`, 'causes[0].text'],
    [
      'nothing to find it by',
      `causes:${ENTRY.replace('code: "30007"\n    ', '')}`,
      'causes[0]: has neither code nor text',
    ],
  ])('refuses %s, by the field and with an example', (_, yaml, problem) => {
    expect(problems(yaml)).toContain(problem);
  });

  test.each([
    ['a word that begins with an asterisk, which is an alias in YAML', `causes:${ENTRY.replace('Ask the', '*Ask')}`],
    ['an alias of nothing', `causes:${ENTRY.replace('Ask the messaging team.', '*team')}`],
    [
      'aliases that grow without bounds',
      `a: &a [${'x, '.repeat(20)}]\nb: &b [${'*a, '.repeat(20)}]\ncauses: [${'*b, '.repeat(20)}]`,
    ],
  ])("refuses %s as YAML that isn't valid", (_, yaml) => {
    expect(problems(yaml)).toMatch(/^isn't valid YAML/);
  });

  test('reads words with the lists that the file has', () => {
    const words = (pattern: string) => `lists: { number: phone|mobile }
causes: [{ words: "${pattern}", meaning: Old number, whose: recipient, next: Ask them. }]`;
    expect(causesIn(words('{number} invalid')).map(({ patterns }) => patterns)).toEqual([['phone|mobile invalid']]);
    expect(problems(words('{sender} invalid'))).toContain('has words with a list that its "lists" lack');
  });

  test('takes line breaks in a text for blanks, since it is shown in one line', () => {
    const [cause] = causesIn(`causes:${ENTRY.replace('Ask the messaging team.', '|\n      Ask the\n      team.')}`);
    expect(cause?.next).toBe('Ask the team.');
  });

  test('never quotes a value of the file', () => {
    expect(problems(`causes:${ENTRY.replace('setup', 'sesame-open')}`)).not.toContain('sesame-open');
  });
});

test('an entry that names a shared cause says what that says, with evidence of its own', () => {
  const shared =
    'old-number: { short: number gone, meaning: The number is gone, whose: recipient, again: 1d, next: Ask. }';
  const [cause] = causesIn('causes: [{ as: old-number, code: ["30005", UNKNOWN_SUBSCRIBER] }]', shared);
  const says = {
    headline: 'number gone',
    meaning: 'The number is gone',
    whose: 'recipient',
    again: 1_440,
    next: 'Ask.',
  };
  expect(cause).toMatchObject({ ...says, codes: ['30005', 'UNKNOWN_SUBSCRIBER'] });
  expect(() => causesIn('causes: [{ as: new-number, code: "30005" }]', shared)).toThrow(ConfigError);
});

test('an entry of a team counts only beside one of the phrases that it has', () => {
  const entry = '{ code: "30007", having: ["Marketing Number", promo code], meaning: Ours, whose: setup, next: Do }';
  const explain = createExplainCause(causesIn(`causes: [${entry}]`));
  const meaningOf = (text: string) => {
    const explained = explain({ provider: 'twilio', channel: 'sms', cause: { text } });
    return explained.entry?.meaning ?? null;
  };
  expect(meaningOf('undelivered (30007) of our marketing number')).toBe('Ours');
  expect(meaningOf('undelivered (30007)')).not.toBe('Ours');
});

test("a team's phrase is found where a word that only the team uses was masked", () => {
  const entry = '{ text: policy of the acme gateway, meaning: Ours, whose: setup, next: Do }';
  const explain = createExplainCause(causesIn(`causes: [${entry}]`));
  const text = String(new FreeText('550 Rejected: policy of the Acme gateway'));
  expect(text).toBe('550 Rejected: policy of the ••• gateway');
  expect(explain({ provider: 'ses', channel: 'email', cause: { text } }).entry?.meaning).toBe('Ours');
});
