import { expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { ALL_FAILURES, type FailureFilter } from '../../domain/failures/failure-filter.ts';
import { anEvent, NOON } from '../../domain/service/event.testing.ts';
import type { EventQuery } from '../../domain/service/query.ts';
import { namesNeverSeen } from './names-asked-for.ts';

function asking(
  filter: Partial<FailureFilter>,
  hasEvents: (query: EventQuery) => boolean | Error,
  { tags = [], isFound = false }: { readonly tags?: readonly string[]; readonly isFound?: boolean } = {},
) {
  const queries: EventQuery[] = [];
  const service = {
    clockAheadMs: () => 0,
    async *eventPages(query: EventQuery) {
      queries.push(query);
      const has = hasEvents(query);
      if (has instanceof Error) throw has;
      yield { items: has ? [anEvent({ tags })] : [], unreadable: [], hasMore: false };
    },
  };
  const store = { namesSeen: async () => ['order-shipped'] };
  const parts = { environment: anEnvironment(), service, store, now: () => NOON };
  return { queries, unseen: () => namesNeverSeen({ ...ALL_FAILURES, ...filter }, { isFound }, parts) };
}

test('a workflow that was never seen is reported with the nearest that was', async () => {
  const { unseen, queries } = asking({ workflows: ['ordr-shipped', 'Order-Shipped'] }, () => false);
  expect(await unseen()).toEqual([
    { filter: 'workflows', noun: 'workflow', name: 'ordr-shipped', meant: 'order-shipped' },
  ]);
  expect(queries).toEqual([]);
});

test.each<[string, Partial<FailureFilter>, Partial<EventQuery>]>([
  ['a subscriber', { subscribers: ['user-1'] }, { subscriberIds: ['user-1'] }],
  ['a transaction', { transactions: ['txn_8f2c91'] }, { transactionId: 'txn_8f2c91' }],
  ['a topic', { topics: ['news'] }, { topicKey: 'news' }],
  ['a context', { contexts: ['tenant:acme'] }, { contextKeys: ['tenant:acme'] }],
])('%s is unseen if the service has no event of it', async (_, filter, query) => {
  const without = asking(filter, () => false);
  expect(await without.unseen()).toHaveLength(1);
  expect(without.queries).toMatchObject([{ ...query, limit: 1 }]);
  expect(await asking(filter, () => true).unseen()).toEqual([]);
  const away = new ServiceError('production', 'listEvents', { kind: 'unreachable' });
  expect(await asking(filter, () => away).unseen()).toEqual([]);
});

test('a context that is not type:id is unseen without asking, because the service would refuse it', async () => {
  const refused = new ServiceError('production', 'listEvents', { kind: 'unreachable' });
  const { unseen, queries } = asking({ contexts: ['acme', 'tenant:'] }, () => refused);
  expect(await unseen()).toHaveLength(2);
  expect(queries).toEqual([]);
});

test('an ID as Notif keeps a contact counts as seen, because the service knows only the whole one', async () => {
  const { unseen, queries } = asking({ subscribers: ['a•••@example.com'] }, () => false);
  expect(await unseen()).toEqual([]);
  expect(queries).toEqual([]);
});

test('the service is asked for at most ten names', async () => {
  const subscribers = Array.from({ length: 30 }, (_, n) => `user-${n}`);
  const { unseen, queries } = asking({ subscribers }, () => false);
  expect(await unseen()).toHaveLength(10);
  expect(queries).toHaveLength(10);
});

test('a tag is seen if one of the newest events has it, in whatever case', async () => {
  const { unseen } = asking({ tags: ['Marketing'] }, () => true);
  expect(await unseen()).toHaveLength(1);
  const tagged = asking({ tags: ['Marketing'] }, () => true, { tags: ['marketing'] });
  expect(await tagged.unseen()).toEqual([]);
});

test('of what was found, only lists of several names are checked', async () => {
  const workflows = ['order-shipped', 'ordr-shipped'];
  const { unseen, queries } = asking({ workflows, subscribers: ['user-1'] }, () => false, { isFound: true });
  expect(await unseen()).toMatchObject([{ name: 'ordr-shipped', meant: 'order-shipped' }]);
  expect(queries).toEqual([]);
});
