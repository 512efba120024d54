import { describe, expect, test } from 'vitest';
import { InputError } from '../../lib/errors.ts';
import { type FilterKey, parseCommandText } from '../../lib/input/filters.ts';
import { DAY_MS } from '../../lib/time/durations.ts';
import { dbAnswering } from '../../store/store.testing.ts';
import { aLine, PRODUCTION, STAGING } from '../slack.testing.ts';
import { environmentIn, refuseUntaken } from './command.ts';
import { parseSince } from './since-command.ts';

const OPTIONS = {
  environments: [PRODUCTION, STAGING],
  retentionDays: 30,
  now: () => new Date('2026-11-20T12:00:00Z'),
};

const BASE = { usage: '', about: '', examples: [], for: 'everyone' } as const;
const MESSAGES = {
  ...BASE,
  word: 'messages',
  filters: ['channel', 'subscriber', 'tx', 'env'] as readonly FilterKey[],
  follows: 'filters',
} as const;
const TOPIC = { ...BASE, word: 'topic', filters: ['subscriber', 'env'] as readonly FilterKey[] };

function refusal(command: typeof MESSAGES | typeof TOPIC, text: string) {
  try {
    refuseUntaken(command, parseCommandText(text));
    return null;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { message: error.message, example: error.example };
  }
}

test('an environment that is named twice counts once, in any case', () => {
  const { filters } = parseCommandText('env:staging,Production,STAGING env:production');
  const request = parseSince(aLine({ filters }), OPTIONS, DAY_MS);
  expect(request.environments).toEqual(['staging', 'production']);
});

test('an environment that is named is clear without asking for the channel’s own', async () => {
  const db = dbAnswering(() => Promise.reject(new Error('not to be asked')));
  expect(await environmentIn({ ...OPTIONS, db }, 'C0ONCALL', { env: ['staging'] })).toBe(STAGING);
});

describe('a command', () => {
  test('that only filters follow refuses words, with an example', () => {
    expect(refusal(MESSAGES, 'user-x')).toEqual({
      message: 'user-x is not a filter: /notif messages takes key:value.',
      example: '/notif messages channel:email,sms',
    });
  });

  test('that words follow takes them', () => {
    expect(refusal(TOPIC, 'launch subscriber:user-1')).toBeNull();
  });

  test('refuses a filter that it does not declare, and says which it takes', () => {
    expect(refusal(TOPIC, 'launch channel:email')?.message).toBe(
      "/notif topic can't filter by channel:. It takes subscriber:, env:.",
    );
    expect(refusal(MESSAGES, 'topic:launch')?.message).toContain("/notif messages can't filter by topic:.");
  });
});
