import { expect, test } from 'vitest';
import { aSubscription } from '../../../service/lists.testing.ts';
import type { TopicSubscription } from '../../../service/lists.ts';
import type { Page } from '../../../service/query.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import type { CommandLine } from '../../router/command.ts';
import { aLine, buttonValue, expectFit, HOSTILE, wordsOf } from '../../slack.testing.ts';
import { topicMessage } from './topic.ts';

const { subscriber: SUBSCRIBER } = aSubscription();

function listed(
  items: readonly TopicSubscription[],
  change: Partial<Page<TopicSubscription>> = {},
  line: Partial<CommandLine> = {},
) {
  const rest = { unreadable: [], hasMore: false, next: null, totalCount: items.length };
  return topicMessage(aLine({ words: ['launch'], ...line }), { items, ...rest, ...change }, null);
}

test('a topic says how many subscriptions it has', () => {
  const wordsFor = (change: Partial<Page<TopicSubscription>>) => wordsOf(listed([aSubscription()], change));
  expect(wordsFor({ totalCount: 4_812, next: 'c' })).toContain('1 of 4,812 subscriptions');
  const capped = wordsFor({ totalCount: null, next: 'c' });
  expect(capped).toContain('1 subscriptions; there are more');
  expect(wordsFor({ unreadable: [{ key: 'x', createdAt: null }] })).toContain('1 unreadable');
  expect(wordsOf(listed([]))).toBe('production · topic launch · no subscriptions');
});

test('a topic names no deleted subscriber, and says that one who is not subscribed may be unknown', () => {
  expect(wordsOf(listed([aSubscription({ subscriber: null })]))).toContain('deleted subscriber |');
  expect(wordsOf(listed([], {}, { filters: { subscriber: ['user-9'] } }))).toContain(
    'Subscriber user-9\nNot subscribed, or unknown to the service',
  );
});

test("a topic loads more from the service's cursor on, or after the last one that fit", () => {
  const runOf = (message: ReturnType<typeof listed>) => parseRun(buttonValue(message, RUN) ?? '');
  const text = 'topic "launch" sort:"oldest" env:"production"';
  const more = listed([aSubscription()], { next: 'c', totalCount: 9 }, { filters: { sort: ['oldest'] } });
  expect(runOf(more)).toEqual({ text, page: { offset: 1, cursor: 'c' } });
  const subscriber = SUBSCRIBER && { ...SUBSCRIBER, subscriberId: HOSTILE.repeat(9) };
  const many = Array.from({ length: 100 }, (_, n) => aSubscription({ id: `${n}-${HOSTILE}`, subscriber }));
  const message = listed(many);
  expectFit(message);
  const page = runOf(message)?.page;
  expect(page?.cursor).toBe(many[(page?.offset ?? 0) - 1]?.id);
});
