import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventSubscriber, TriggeredEvent } from '../entities.ts';
import { delivered, failed } from '../examples.ts';
import { idsOnPage, noon, type QuietService, startQuietService } from '../testing.ts';

const people = ['ada', 'bo', 'cy'];
const severities = ['high', 'low', 'none'];
const topics = ['vip', 'news'];
const contexts = ['a:1', 'b:2'];
const timeOf = (index: number) => noon - (60 - index) * 30_000;

let service: QuietService;
let newestFirst: TriggeredEvent[];
beforeAll(async () => {
  service = await startQuietService();
  newestFirst = Array.from({ length: 60 }, (_, index) => plant(index)).reverse();
});
afterAll(() => service.close());

function plant(index: number): TriggeredEvent {
  const person = people[index % people.length] ?? 'ada';
  if (person !== 'cy') Object.assign(service.world.subscriber(person), { email: `${person}@example.org` });
  return service.world.plantEvent({
    ...(index % 5 === 0 ? delivered() : failed(index % 2 === 0 ? 'email' : 'push')),
    createdAt: timeOf(index),
    subscriber: person,
    severity: severities[index % 3] ?? 'none',
    topics: topics.filter((_, nth) => (index >> nth) % 2 === 0),
    contextKeys: contexts.filter((_, nth) => (index >> (nth + 1)) % 2 === 0),
    transactionId: `t${index % 4}`,
  });
}

const some = (...of: string[]) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 });
const time = fc.nat(60).map((index) => new Date(timeOf(index)).toISOString());

const filters = {
  channels: some('email', 'push', 'in_app', 'sms'),
  severity: some(...severities),
  subscriberIds: some(...people, 'nobody'),
  emails: some('ada@example.org', 'bo@example.org', 'nobody@example.org'),
  search: fc.constantFrom('ADA@', 'cy', 'example.org'),
  topicKey: fc.constantFrom(...topics),
  transactionId: fc.constantFrom('t1', 't2'),
  contextKeys: some(...contexts),
  after: time,
};
const queries = fc.record(
  { ...filters, limit: fc.integer({ min: 1, max: 50 }), page: fc.nat(2) },
  { requiredKeys: [] },
);
type Query = typeof queries extends fc.Arbitrary<infer Q> ? Q : never;

function addressOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(name, `${one}`);
  return `/v1/notifications?${parameters}`;
}

function isWanted(event: TriggeredEvent, query: Query): boolean {
  const { channels, severity, topicKey, transactionId, contextKeys, after } = query;
  return (
    (channels?.some((channel) => event.channels.includes(channel)) ?? true) &&
    (severity?.includes(event.severity) ?? true) &&
    (topicKey === undefined || event.topics.some((topic) => topic.topicKey === topicKey)) &&
    (transactionId === undefined || event.transactionId === transactionId) &&
    (contextKeys === undefined || contextKeys.toSorted().join() === event.contextKeys.toSorted().join()) &&
    (after === undefined || event.createdAt >= after) &&
    isSought(event.subscriber, query)
  );
}

/** Returns whether the search for people finds this person. Each of its three parameters widens the search. */
function isSought(person: EventSubscriber | null | undefined, { subscriberIds, emails, search }: Query): boolean {
  const { subscriberId = '', email = '' } = person ?? {};
  const ways = [
    subscriberIds?.includes(subscriberId),
    emails?.includes(email),
    search && (search === subscriberId || email.includes(search.toLowerCase())),
  ];
  return ways.every((way) => way === undefined) || ways.includes(true);
}

describe('any combination of the event list’s filters, time range and page', () => {
  test('shows what a simple implementation of contract and notes shows', async () => {
    const property = fc.asyncProperty(queries, async (query) => {
      const { limit = 10, page = 0 } = query;
      const expected = newestFirst.filter((event) => isWanted(event, query)).slice(page * limit, (page + 1) * limit);
      const { body } = await service.get(addressOf(query));
      expect(idsOnPage(body)).toEqual(expected.map(({ _id }) => _id));
      expect(body.hasMore).toBe(expected.length === limit);
    });
    await fc.assert(property, { numRuns: 80 });
  });
});
