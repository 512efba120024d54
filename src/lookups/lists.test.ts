import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { ServiceError } from '../lib/errors.ts';
import { aMessage } from '../service/message.testing.ts';
import type { Message, MessageQuery } from '../service/message.ts';
import { ALL_MESSAGES, listMessages, type MessageReader } from './lists.ts';

const PRODUCTION = anEnvironment();

function messages(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => aMessage({ id: `m${index}` }));
}

function aList(all: readonly Message[], options: { counts?: boolean; asked?: MessageQuery[] } = {}): MessageReader {
  return {
    listMessages: async (query) => {
      options.asked?.push(query);
      const { page = 0, limit = 10 } = query;
      const items = all.slice(page * limit, (page + 1) * limit);
      const totalCount = options.counts === false ? null : all.length;
      return { items, unreadable: [], hasMore: items.length === limit, totalCount };
    },
  };
}

const NOBODY: MessageReader = { listMessages: async () => null };

function list(
  readers: Readonly<Record<string, MessageReader>>,
  { offset = 0, filter = ALL_MESSAGES }: { offset?: number; filter?: typeof ALL_MESSAGES } = {},
) {
  return listMessages(filter, offset, PRODUCTION, readers[PRODUCTION.name] ?? NOBODY);
}

describe('the messages of a filter', () => {
  test('are read a hundred at once, with the whole filter', async () => {
    const asked: MessageQuery[] = [];
    const filter = { channel: 'email', subscriberId: 'user-1', transactionIds: ['t-1', 't-2'], contextKeys: ['a:1'] };
    const found = await list({ production: aList(messages(250), { asked }) }, { offset: 100, filter });
    expect(asked).toEqual([{ ...filter, page: 1, limit: 100 }]);
    expect(found).toMatchObject({ offset: 100, totalCount: 250, next: 200, items: messages(200).slice(100) });
  });

  test('go on where an answer had no room for the rest', async () => {
    const found = await list({ production: aList(messages(250)) }, { offset: 140 });
    expect(found).toMatchObject({ offset: 140, next: 200, items: messages(200).slice(140) });
  });

  test('end by the count, or with a page that is not full if the service does not count', async () => {
    expect(await list({ production: aList(messages(200)) }, { offset: 100 })).toMatchObject({ next: null });
    const service = { production: aList(messages(200), { counts: false }) };
    expect(await list(service, { offset: 100 })).toMatchObject({ totalCount: null, next: 200 });
    expect(await list(service, { offset: 200 })).toMatchObject({ items: [], next: null });
  });

  test('rejects with the service’s error', async () => {
    const error = new ServiceError('production', 'listMessages', { kind: 'unreachable' });
    await expect(list({ production: { listMessages: () => Promise.reject(error) } })).rejects.toBe(error);
  });
});

test('an unknown subscriber is reported', async () => {
  const filter = { ...ALL_MESSAGES, subscriberId: 'user-1' };
  expect(await list({}, { filter })).toEqual({ found: 'no-subscriber', environment: PRODUCTION, filter });
});
