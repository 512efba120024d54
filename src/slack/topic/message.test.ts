import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../domain/errors.ts';
import { parseCommandText } from '../../domain/input/filters.ts';
import {
  type FoundSubscriptions,
  type PagePosition,
  SUBSCRIPTIONS_A_PAGE,
  type TopicQuestion,
} from '../../domain/lookups/topic-found.ts';
import { aSubscription } from '../../domain/service/subscription.testing.ts';
import type { TopicSubscription } from '../../domain/service/subscription.ts';
import { parseTopic, type TopicRequest, writeTopic } from '../blocks/buttons/topic-button.ts';
import type { Reader } from '../blocks/reader.ts';
import { buttonsOf, expectFit, HOSTILE, otherEnvironments, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';
import { topicMessage } from './message.ts';
import { parseTopicRequest } from './parse-request.ts';

const PERSON: Reader = { is: 'person' };

const QUESTION: TopicQuestion = { topicKey: 'launch', subscriberId: null, order: 'newest', place: { at: 'start' } };

function found(items: readonly TopicSubscription[], change: Partial<FoundSubscriptions> = {}): FoundSubscriptions {
  return {
    found: 'subscriptions',
    environment: PRODUCTION,
    question: QUESTION,
    topic: items[0]?.topic ?? null,
    items,
    unreadable: 0,
    next: null,
    previous: null,
    unreadSides: [],
    totalCount: items.length,
    isCapped: false,
    ...change,
  };
}

describe('a topic', () => {
  test('is shown with its name, its times and its subscribers', () => {
    const message = topicMessage(found([aSubscription()]), PERSON);
    expect(wordsOf(message).split('\n')).toEqual([
      'production · topic launch (Launch news) · 1 subscription',
      'Created 2026-03-03 12:00 UTC · changed 2026-03-04 11:00 UTC',
      '• user-1 · A. L. · a•••@example.com · since 2026-03-04 12:00 UTC',
      'Share',
    ]);
    expectFit(message);
    expect(message.text).toContain('topic `launch` (Launch news) · 1 subscription');
    expect(message.text).toContain('`user-1` · A. L.');
  });

  test('says that more may follow which could not be read', () => {
    const message = topicMessage(found([aSubscription()], { totalCount: null, unreadSides: ['next'] }), PERSON);
    expect(wordsOf(message)).toContain('1 of them, the newest first; this is the first page');
    expect(wordsOf(message)).toContain("⚠️ what follows couldn't be read");
    const middle = topicMessage(found([aSubscription()], { unreadSides: ['previous', 'next'] }), PERSON);
    expect(wordsOf(middle)).toContain('the newest first · ⚠️');
  });

  test.each([
    [{ totalCount: 4_812 }, '4,812 subscriptions'],
    [{ totalCount: 50_000, isCapped: true }, 'more than 50,000 subscriptions'],
    [{ totalCount: null, isCapped: true }, 'more than 50,000 subscriptions'],
    [{ totalCount: null }, '(Launch news) · subscriptions'],
  ])('shows the number of subscriptions as far as the service counts: %j', (change, words) => {
    expect(wordsOf(topicMessage(found([aSubscription()], change), PERSON))).toContain(words);
  });

  test('shows subscriptions of deleted subscribers, and what was unreadable', () => {
    const words = wordsOf(topicMessage(found([aSubscription({ subscriber: null })], { unreadable: 2 }), PERSON));
    expect(words).toContain(
      'a deleted subscriber · since 2026-03-04 12:00 UTC · subscription 66000000000000000000000a',
    );
    expect(words).toContain("2 of this page couldn't be read");
  });

  test('can have no subscriptions', () => {
    const message = topicMessage(found([]), PERSON);
    expect(wordsOf(message)).toBe('production · topic launch · no subscriptions');
    expect(buttonsOf(message)).toEqual([]);
  });

  test('has buttons in both directions, and for the other order', () => {
    const message = topicMessage(found([aSubscription()], { next: 'n', previous: 'p', totalCount: 40 }), PERSON);
    expect(wordsOf(message)).toContain('1 of them, the newest first\n');
    expect(buttonsOf(message)).toEqual(['Previous subscribers', 'Next subscribers', 'Oldest first', 'Share']);
    const json = JSON.stringify(message.blocks);
    expect(json).toContain('"value":"v1|production|launch||newest|before|p"');
    expect(json).toContain('"value":"v1|production|launch||newest|after|n"');
    expect(json).toContain('"value":"v1|production|launch||oldest|start|"');
  });

  test.each([
    [{ next: 'n' }, 'this is the first page', ['Next subscribers', 'Oldest first', 'Share']],
    [{ previous: 'p' }, 'this is the last page', ['Previous subscribers', 'Oldest first', 'Share']],
  ])('shows where its pages end: %j', (change, words, buttons) => {
    const message = topicMessage(found([aSubscription()], change), PERSON);
    expect(wordsOf(message)).toContain(words);
    expect(buttonsOf(message)).toEqual(buttons);
  });

  test('can be searched for one subscriber, with a button for what surrounds it', () => {
    const question = { ...QUESTION, subscriberId: 'user-1' };
    const message = topicMessage(found([aSubscription()], { question }), PERSON);
    expect(wordsOf(message)).toContain('Only subscriber user-1');
    expect(wordsOf(message)).toContain('subscription 66000000000000000000000a');
    expect(buttonsOf(message)).toEqual(['Around it', 'Share']);
    expect(JSON.stringify(message.blocks)).toContain('|launch||newest|from|66000000000000000000000a"');
  });

  test("says that a subscriber who isn't subscribed may be unknown", () => {
    const question = { ...QUESTION, subscriberId: 'user-77' };
    const words = wordsOf(topicMessage(found([], { question }), PERSON));
    expect(words).toContain('Only subscriber user-77 · not subscribed, or unknown to the service');
  });

  test('marks the requested subscription', () => {
    const question: TopicQuestion = { ...QUESTION, place: { at: 'from', cursor: aSubscription().id } };
    const items = [aSubscription(), aSubscription({ id: 'another' })];
    const words = wordsOf(topicMessage(found(items, { question, previous: 'p' }), PERSON));
    expect(words.match(/subscription 66000000000000000000000a · this one was asked for/g)).toHaveLength(1);
  });

  test('is shared with the name of the person who shared it, without buttons', () => {
    const message = topicMessage(found([aSubscription()], { next: 'n' }), { is: 'channel', sharedBy: 'U0ANN' });
    expect(wordsOf(message)).toContain('Shared by <@U0ANN>');
    expect(buttonsOf(message)).toEqual([]);
  });

  test.each([HOSTILE.repeat(30), '&'.repeat(500), '"'.repeat(500)])('fits Slack’s limits with any names', (long) => {
    const subscriber = { subscriberId: long, initials: long, maskedEmail: long, maskedPhone: null };
    const topic = { key: long, name: long, createdAt: null, updatedAt: null };
    const items = Array.from({ length: SUBSCRIPTIONS_A_PAGE }, () => aSubscription({ id: long, subscriber, topic }));
    const question: TopicQuestion = { ...QUESTION, subscriberId: 'user-1', topicKey: long.slice(0, 900) };
    expectFit(topicMessage(found(items, { question, next: 'n', previous: 'p' }), { is: 'channel', sharedBy: 'U0ANN' }));
  });
});

test('a page of more subscriptions than were asked for fits, and says what is left out and how to see it', () => {
  const subscriber = { subscriberId: 'u'.repeat(80), initials: null, maskedEmail: 'e'.repeat(80), maskedPhone: null };
  const items = Array.from({ length: 100 }, (_, n) => aSubscription({ id: `sub-${n}`, subscriber }));
  const message = topicMessage(found(items, { next: 'n', totalCount: 100 }), PERSON);
  expectFit(message);
  const [, left = ''] = /(\d+) more subscriptions of this page don't fit here/.exec(wordsOf(message)) ?? [];
  const shown = 100 - Number(left);
  expect(wordsOf(message).match(/•/g)).toHaveLength(shown);
  expect(wordsOf(message)).toContain(`To see them: around:sub-${shown}`);
});

describe('an answer without a page', () => {
  const place: PagePosition = { at: 'after', cursor: 'c' };
  const question = { ...QUESTION, place };

  test('says that there is no such topic, and which environment has one', () => {
    const message = topicMessage(
      { found: 'no-topic', environment: PRODUCTION, question, elsewhere: [STAGING] },
      PERSON,
    );
    expect(message.text).toBe('*production* has no topic `launch`. It exists in *staging*.');
    expect(JSON.stringify(message.blocks)).toContain('"value":"v1|staging|launch||newest|start|"');
    expectFit(message);
    const nowhere = topicMessage({ found: 'no-topic', environment: PRODUCTION, question, elsewhere: [] }, PERSON);
    expect(nowhere.text).toContain("Use the topic's key, not its name. Upper and lower case matter.");
  });

  test('is offered in ten of the environments that have it, however many they are', () => {
    const elsewhere = otherEnvironments(60);
    const question = { ...QUESTION, topicKey: HOSTILE.repeat(20) };
    const message = topicMessage({ found: 'no-topic', environment: PRODUCTION, question, elsewhere }, PERSON);
    expectFit(message);
    expect(buttonsOf(message)).toHaveLength(10);
    expect(message.text).toMatch(/Tenant 10 [^,]*\* and 50 more\.$/);
    expect(wordsOf(message)).toContain("… and 50 more: add env: with an environment's name");
  });

  test('says that its position is gone, with a button to the start', () => {
    const message = topicMessage({ found: 'no-place', environment: PRODUCTION, question }, PERSON);
    expect(message.text).toContain('What was there is no longer subscribed.');
    expect(buttonsOf(message)).toEqual(['Back to start']);
    expectFit(message);
  });

  test("claims nothing about a subscription that was typed and isn't known", () => {
    const typed: TopicQuestion = { ...QUESTION, place: { at: 'from', cursor: '66b' } };
    const message = topicMessage({ found: 'no-place', environment: PRODUCTION, question: typed }, PERSON);
    expect(message.text).toBe(
      "*production* doesn't know the subscription `66b` in topic `launch`. It may have ended, or its ID may be mistyped.",
    );
    expect(buttonsOf(message)).toEqual(['Back to start']);
  });
});

describe('the request for a topic', () => {
  const read = (text: string) =>
    parseTopicRequest({ ...parseCommandText(text), environment: PRODUCTION, timeZone: 'UTC' });

  test("is a topic's key, and how to list it", () => {
    expect(read('launch')).toEqual({ environment: 'production', question: QUESTION });
    expect(read('"launch news" subscriber:user-1 sort:Oldest around:66a').question).toEqual({
      topicKey: 'launch news',
      subscriberId: 'user-1',
      order: 'oldest',
      place: { at: 'from', cursor: '66a' },
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
    const place: fc.Arbitrary<PagePosition> = fc.oneof(
      fc.record({ at: fc.constant('start' as const) }),
      fc.record({ at: fc.constantFrom('after' as const, 'before' as const, 'from' as const), cursor: fc.string() }),
    );
    const question: fc.Arbitrary<TopicQuestion> = fc.record({
      topicKey: fc.string(),
      subscriberId: fc.option(fc.string({ minLength: 1 })),
      order: fc.constantFrom('newest' as const, 'oldest' as const),
      place,
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
    'v1|p|launch||random|start|',
    'v1|p|launch||newest|middle|c',
    'v1|p|l||newest|start||x',
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
