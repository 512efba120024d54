import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../lib/errors.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import type { FoundSubscriptions, TopicQuestion } from '../../../lookups/lists.ts';
import { aSubscription } from '../../../service/subscription.testing.ts';
import type { TopicSubscription } from '../../../service/subscription.ts';
import { parseTopic, type TopicRequest, writeTopic } from '../../kit/buttons.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { buttonsOf, buttonValue, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { MORE, parseTopicRequest, topicMessage } from './topic.ts';

const { subscriber: SUBSCRIBER } = aSubscription();

const QUESTION: TopicQuestion = { topicKey: 'launch', subscriberId: null, order: 'newest', after: null };

function found(items: readonly TopicSubscription[], change: Partial<FoundSubscriptions> = {}): FoundSubscriptions {
  return {
    found: 'subscriptions',
    environment: PRODUCTION,
    question: QUESTION,
    topic: items[0]?.topic ?? null,
    items,
    unreadable: 0,
    next: null,
    isRestUnread: false,
    totalCount: items.length,
    isCapped: false,
    ...change,
  };
}

describe('a topic', () => {
  test('is shown with its name, its times and its subscribers', () => {
    const message = topicMessage(found([aSubscription()]));
    expect(wordsOf(message)).toMatch(/^production · topic launch \(Launch news\) · 1 subscription\n/);
    expect(wordsOf(message)).toContain('\nuser-1 | A. L. · a•••@example.com | 2026-03-04 12:00 UTC | ');
    expect(wordsOf(message)).toContain('Created 2026-03-03 12:00 UTC · changed 2026-03-04 11:00 UTC');
    expectFit(message);
  });

  test('says how many there are, and that more may follow which could not be read', () => {
    const wordsFor = (change: Partial<FoundSubscriptions>) => wordsOf(topicMessage(found([aSubscription()], change)));
    expect(wordsFor({ totalCount: 4_812, next: 'c' })).toContain('1 of 4,812 subscriptions');
    expect(wordsFor({ totalCount: 50_000, isCapped: true, next: 'c' })).toContain('1 of 50,000 subscriptions or more');
    expect(wordsFor({ totalCount: null, isRestUnread: true })).toContain("⚠️ what follows couldn't be read");
    expect(wordsFor({ unreadable: 2 })).toContain('2 unreadable');
    expect(wordsOf(topicMessage(found([])))).toBe('production · topic launch · no subscriptions');
  });

  test('names no deleted subscriber, and says that one who is not subscribed may be unknown', () => {
    expect(wordsOf(topicMessage(found([aSubscription({ subscriber: null })])))).toContain('deleted subscriber |');
    const question = { ...QUESTION, subscriberId: 'user-9' };
    expect(wordsOf(topicMessage(found([], { question })))).toContain(
      'Only subscriber user-9\nNot subscribed, or unknown to the service',
    );
  });

  test("loads more from the service's cursor on, or after the last one that fit", () => {
    const more = topicMessage(found([aSubscription()], { next: 'c', totalCount: 9 }));
    expect(parseTopic(buttonValue(more, MORE) ?? '')?.question.after).toEqual({ cursor: 'c', before: 1 });
    const subscriber = SUBSCRIBER && { ...SUBSCRIBER, subscriberId: HOSTILE.repeat(9) };
    const many = Array.from({ length: 100 }, (_, n) => aSubscription({ id: `${n}-${HOSTILE}`, subscriber }));
    const message = topicMessage(found(many));
    expectFit(message);
    const after = parseTopic(buttonValue(message, MORE) ?? '')?.question.after;
    expect(after?.cursor).toBe(many[(after?.before ?? 0) - 1]?.id);
  });

  test('is shared with the name of the person who shared it, without buttons', () => {
    const message = forEveryone(topicMessage(found([aSubscription()])), 'U0ANN');
    expect(wordsOf(message)).toContain('Shared by <@U0ANN>');
    expect(buttonsOf(message)).toEqual([]);
  });

  test('that is unknown comes with an explanation of keys', () => {
    const message = topicMessage({ found: 'no-topic', environment: PRODUCTION, question: QUESTION });
    expect(wordsOf(message)).toContain("production has no topic launch.\nUse the topic's key, not its name.");
    expectFit(message);
  });
});

describe('the request for a topic', () => {
  const read = (text: string) =>
    parseTopicRequest({ ...parseCommandText(text), environment: PRODUCTION, timeZone: 'UTC' });

  test("is a topic's key, and how to list it", () => {
    expect(read('launch')).toEqual({ environment: 'production', question: QUESTION });
    expect(read('"launch news" subscriber:user-1 sort:Oldest').question).toEqual({
      topicKey: 'launch news',
      subscriberId: 'user-1',
      order: 'oldest',
      after: null,
    });
  });

  test.each([
    ['', 'Which topic? Give its key.', '/notif topic news-readers'],
    ['launch news', 'A topic’s key is one word.', '/notif topic "launch news"'],
    ['launch sort:name', 'There is no order name. There are: newest, oldest.', 'sort:newest'],
    ['x'.repeat(1_900), "These IDs are too long for Slack's buttons.", '/notif topic news-readers'],
  ])('is refused with an example: %s', (text, what, example) => {
    const refusal = thrownBy(() => read(text));
    expect(refusal.message).toContain(what);
    expect(refusal.example).toContain(example);
  });

  test('survives a round trip through a button', () => {
    const question: fc.Arbitrary<TopicQuestion> = fc.record({
      topicKey: fc.string(),
      subscriberId: fc.option(fc.string({ minLength: 1 })),
      order: fc.constantFrom('newest' as const, 'oldest' as const),
      after: fc.option(fc.record({ cursor: fc.string(), before: fc.nat(999_999) })),
    });
    fc.assert(
      fc.property(fc.string(), question, (environment, asked) => {
        const request: TopicRequest = { environment, question: asked };
        expect(parseTopic(writeTopic(request))).toEqual(request);
      }),
    );
  });

  test.each([
    '',
    'v1|production|launch',
    'v1|p|launch||random',
    'v1|p|launch||newest|5',
    'v1|p|launch||newest|x|c',
    'v1|p|l||newest|5|c|x',
  ])('is null for %j', (value) => expect(parseTopic(value)).toBeNull());
});

function thrownBy(act: () => unknown): InputError {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
