import { describe, expect, test } from 'vitest';
import {
  clockOf,
  durationOf,
  mentionToken,
  parseClock,
  parseEvery,
  parseFailures,
  parseMention,
  parseNames,
  parseQuiet,
  parseRate,
  parseSummaryAt,
  parseSwitch,
  parseVerdicts,
  parseWithin,
  percentOf,
  quietOf,
} from './watch-values.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
}

describe('names', () => {
  test('are without quotes and blanks around them, each once', () => {
    expect(parseNames('workflow', [' welcome ', '"welcome"', 'order "shipped"', '""', ' '])).toEqual([
      'welcome',
      'order shipped',
    ]);
  });

  test('are at most twenty of up to a hundred characters', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`);
    expect(parseNames('topic', names(20))).toHaveLength(20);
    expect(refusal(() => parseNames('topic', names(21)))).toBe('topic: takes at most 20 values.');
    expect(parseNames('tag', ['x'.repeat(100)])).toHaveLength(1);
    expect(refusal(() => parseNames('tag', ['short', 'x'.repeat(101)]))).toBe(
      'tag: takes names of up to 100 characters.',
    );
  });

  test('of verdicts count once', () => {
    expect(parseVerdicts(['bounced', 'Bounced', 'partly failed'])).toEqual(['bounced', 'partly-failed']);
  });
});

describe('numbers', () => {
  test.for([
    ['1', 1],
    ['100000', 100_000],
  ] as const)('of failures go from 1 to 100,000: %s', ([text, failures]) => {
    expect(parseFailures(text)).toBe(failures);
  });

  test.for(['0', '100001', '-1', '1.5', '5x', 'x5', ''])('of failures are nothing else: %j', (text) => {
    expect(refusal(() => parseFailures(text))).toBe('min: takes a number of failures, from 1 to 100,000.');
  });

  test.for([
    ['100%', 1],
    ['5', 0.05],
    ['5  %', 0.05],
    ['2.5%', 0.025],
    ['2,25%', 0.0225],
    ['0.01%', 0.0001],
  ] as const)('of percent go up to a hundred: %s', ([text, rate]) => {
    expect(parseRate(text)).toBe(rate);
  });

  test.for(['0%', '100.01%', '1000%', '5%%', '1.234%', '.5%', 'x5%', '5%x', ''])(
    'of percent are nothing else: %j',
    (text) => {
      expect(refusal(() => parseRate(text))).toBe("rate: takes a percentage of the workflow's events, up to 100%.");
    },
  );
});

describe('times', () => {
  const within = 'within: takes a time of whole minutes, from 1m to 24h.';
  const every = 'every: takes a time of whole minutes, from 1m to 24h, or off.';

  test.for([
    ['1m', MINUTE],
    ['90M', 90 * MINUTE],
    ['24h', DAY],
  ] as const)('are whole minutes up to a day: %s', ([text, ms]) => {
    expect(parseWithin(text)).toBe(ms);
    expect(parseEvery(text)).toBe(ms);
  });

  test.for(['59s', '61s', '1441m', '0m', 'soon', ''])('are nothing else: %j', (text) => {
    expect(refusal(() => parseWithin(text))).toBe(within);
    expect(refusal(() => parseEvery(text))).toBe(every);
  });

  test.for(['off', 'None', ' no '])('between alerts can be %j', (text) => {
    expect(parseEvery(text)).toBe(0);
    expect(refusal(() => parseWithin(text))).toBe(within);
  });
});

describe('a mention', () => {
  test.for([
    ['<@U0ANN>', { kind: 'person', id: 'U0ANN' }],
    ['<@W0ANN|ann>', { kind: 'person', id: 'W0ANN' }],
    ['<!subteam^S0ONCALL>', { kind: 'user-group', id: 'S0ONCALL' }],
    ['off', null],
  ] as const)('is a person, a user group or nobody: %s', ([text, mention]) => {
    expect(parseMention(text)).toEqual(mention);
  });

  test.for(['@ann', '<!here>', '<#C0ONCALL>', '<@U0ANN> <@U0BEN>', 'x<@U0ANN>', '<@U0ANN>x', '<@U0ANN|>>', ''])(
    'is nothing else: %j',
    (text) => {
      expect(refusal(() => parseMention(text))).toBe(
        'mention: takes one person or user group, as Slack offers them after an @; not everybody, and no channel.',
      );
    },
  );

  test('is worded as Slack reads it', () => {
    expect(mentionToken({ kind: 'person', id: 'U0ANN' })).toBe('<@U0ANN>');
    expect(mentionToken({ kind: 'user-group', id: 'S0ONCALL' })).toBe('<!subteam^S0ONCALL>');
  });
});

describe('a time of the day', () => {
  test.for([
    ['9', 9 * 60],
    ['09:00', 9 * 60],
    [' 9:05 ', 9 * 60 + 5],
    ['0:00', 0],
    ['23:59', 23 * 60 + 59],
    ['9am', 9 * 60],
    ['9:30 PM', 21 * 60 + 30],
    ['12 a.m.', 0],
    ['12pm', 12 * 60],
    ['9p', null],
    ['24:00', null],
    ['9:60', null],
    ['9:5', null],
    ['13pm', null],
    ['0am', null],
    ['x9', null],
    ['9x', null],
    ['123', null],
    ['', null],
  ] as const)('is read from %j as %s minutes', ([text, minutes]) => {
    expect(parseClock(text)).toBe(minutes);
  });

  test('of a summary can be off', () => {
    expect(parseSummaryAt('5:30pm')).toBe(17 * 60 + 30);
    expect(parseSummaryAt('off')).toBeNull();
    expect(refusal(() => parseSummaryAt('noon'))).toBe('summary: takes a time of the day, or off.');
  });

  test('begins and ends quiet hours', () => {
    expect(parseQuiet('22:00-7am')).toEqual({ from: 22 * 60, to: 7 * 60 });
    expect(parseQuiet('0-1')).toEqual({ from: 0, to: 60 });
    expect(parseQuiet('off')).toBeNull();
  });

  test.for(['22:00', '22:00-', '-7:00', '22-22', '22-7-8', 'x-7', '22-x'])(
    'is needed twice for quiet hours: %j',
    (text) => {
      expect(refusal(() => parseQuiet(text))).toBe('quiet: takes two times of the day, or off.');
    },
  );
});

test('a switch is on or off', () => {
  expect(parseSwitch('thread', ' On ')).toBe(true);
  expect(parseSwitch('thread', 'OFF')).toBe(false);
  expect(refusal(() => parseSwitch('changes', 'maybe'))).toBe('changes: takes on or off.');
});

describe('settings are worded', () => {
  test('as clock times of two digits each', () => {
    expect([0, 65, 23 * 60 + 59].map(clockOf)).toEqual(['00:00', '01:05', '23:59']);
    expect(quietOf({ from: 22 * 60, to: 7 * 60 + 30 })).toBe('22:00-07:30');
  });

  test('as the largest unit of which they are a whole number', () => {
    expect([15, 60, 90, 120, 1440].map((minutes) => durationOf(minutes * MINUTE))).toEqual([
      '15m',
      '1h',
      '90m',
      '2h',
      '1d',
    ]);
  });

  test('as percentages with the decimals that they need', () => {
    expect([1, 0.05, 0.025, 0.0001, 0.07].map(percentOf)).toEqual(['100', '5', '2.5', '0.01', '7']);
  });
});
