import { describe, expect, test } from 'vitest';
import { recordWorkflows } from '../changes/workflows.ts';
import { ServiceError } from '../lib/errors.ts';
import { aService } from '../service/client.testing.ts';
import { aDetail, aJob, anEvent, aSubscriber, at } from '../service/event.testing.ts';
import type { Job, TriggeredEvent } from '../service/event.ts';
import { aMessage, anIntegration, aSubscription } from '../service/lists.testing.ts';
import type { EventQuery } from '../service/query.ts';
import { failureOf, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVENTS_LISTED, type EventList, findMissed, inOrder, listEvents, listIntegrations } from './lists.ts';
import { listMessages } from './messages.ts';

const UNREADABLE = { key: 'x', createdAt: null };
const MINUTE = 60;
const START = { from: 0, end: null };

function serviceWith(seconds: readonly number[]) {
  const events = seconds.map((second) => ({ ...anEvent({ id: `e${second}` }), createdAt: at(second) }));
  let now = at(0);
  let aheadMs: number | null = 0;
  const isListed = ({ createdAt }: TriggeredEvent, { before }: EventQuery) =>
    createdAt !== null && before !== undefined && createdAt <= before;
  const service = aService({
    clockAheadMs: () => aheadMs,
    listEvents: async (query: EventQuery & { page?: number }) => {
      const listed = events
        .filter((event) => isListed(event, query))
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
      const from = (query.page ?? 0) * EVENTS_LISTED;
      const items = listed.slice(from, from + EVENTS_LISTED);
      return { items, unreadable: [], hasMore: from + items.length < listed.length, totalCount: null };
    },
  });
  return {
    shows: (at: { from: number; end: Date | null }) => listEvents({ service, now: () => now }, {}, at),
    says: (clock: number | null) => {
      aheadMs = clock;
    },
    adds: (second: number, id: string) => {
      now = at(second);
      events.push({ ...anEvent({ id }), createdAt: at(second) });
    },
  };
}

const idsOf = ({ events }: EventList) => events.map(({ event }) => event.id);
const after = ({ next, end }: EventList) => ({ from: next ?? 0, end });
const TWO_PAGES = Array.from({ length: 2 * EVENTS_LISTED }, (_, n) => -(n + 1) * MINUTE);
const OLDER = TWO_PAGES.slice(EVENTS_LISTED).map((second) => `e${second}`);

test('the next page of a list of events has none of the first, however many events are new since', async () => {
  const service = serviceWith(TWO_PAGES);
  const first = await service.shows(START);
  expect(first.events).toHaveLength(EVENTS_LISTED);
  for (let n = 0; n < EVENTS_LISTED; n++) service.adds(10 * MINUTE + n, `new-${n}`);
  const second = await service.shows(after(first));
  expect(idsOf(second)).toEqual(OLDER);
  expect(idsOf(await service.shows({ from: 0, end: second.end }))).toEqual(idsOf(first));
});

test('the next page begins where the first ended if the clock becomes known between the two', async () => {
  const service = serviceWith([30 * MINUTE, ...TWO_PAGES.slice(0, -1)]);
  service.says(null);
  const first = await service.shows(START);
  expect(idsOf(first)[0]).toBe(`e${30 * MINUTE}`);
  service.says(0);
  expect(idsOf(await service.shows(after(first)))[0]).toBe(`e${-EVENTS_LISTED * MINUTE}`);
});

test('a list goes on after what was shown, also where a page has items that cannot be read', async () => {
  const all = Array.from({ length: 120 }, (_, index) => anEvent({ id: `event ${index}` }));
  const isReadable = (_: unknown, index: number) => index !== 3 && index !== 7;
  const service = aService({
    clockAheadMs: () => 0,
    listEvents: async ({ page = 0 }) => {
      const [from, to] = [page * EVENTS_LISTED, (page + 1) * EVENTS_LISTED];
      const items = all.filter(isReadable).filter((event) => all.slice(from, to).includes(event));
      const unreadable = Array.from({ length: to - from - items.length }, () => UNREADABLE);
      return { items, unreadable, hasMore: to < all.length };
    },
  });
  const seen: (string | null)[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const list: EventList = await listEvents({ service, now: () => at(60) }, {}, { from, end: at(60) });
    seen.push(...list.events.slice(0, 20).map(({ event }) => event.id));
    from = list.events.length > 20 ? from + 20 : list.next;
  }
  expect(seen).toEqual(all.filter(isReadable).map(({ id }) => id));
});

describeStore('a message that bounced after it was sent', (store) => {
  test('is listed with that', async () => {
    await recordFailures(store(), at(0), [failureOf('Mailbox full', { eventKey: 'e1', verdict: 'bounced' })]);
    const items = [aMessage({ eventId: 'e1', channel: 'email' }), aMessage({ eventId: 'e2', channel: 'email' })];
    const page = { items, unreadable: [], hasMore: false, totalCount: 2 };
    const service = aService({ listMessages: async () => page });
    const found = await listMessages(store().db, 'production', service, {});
    expect(found?.items.map(({ after }) => after)).toEqual([
      { verdict: 'bounced', cause: "recipient's mailbox is full" },
      undefined,
    ]);
  });
});

describeStore('messages that name no workflow', (store) => {
  test('are named by its ID as checked events name it, else by that', async () => {
    const { db } = store();
    const stored = { id: 'w-stored', identifier: 'app-push', name: 'App push', variables: [] };
    await recordWorkflows(
      db,
      'production',
      [{ workflow: stored, createdAt: at(0), critical: false, isDeleted: false }],
      at(0),
    );
    const unnamed = ['w-stored', 'w-fresh', null].map((workflowId) => aMessage({ workflowId, workflow: null }));
    const items = [aMessage({ workflow: 'order-shipped' }), ...unnamed];
    const page = { items, unreadable: [], hasMore: false, totalCount: 4 };
    const found = await listMessages(db, 'production', aService({ listMessages: async () => page }), {});
    expect(found?.items.map(({ workflow }) => workflow)).toEqual(['order-shipped', 'app-push', 'w-fresh', null]);
  });
});

const [OWN, STAGED, FOREIGN] = ['env-production', 'env-staging', 'env-foreign'] as const;

const EMAIL = anIntegration({ serviceEnvironmentId: OWN });
const SPARE = anIntegration({ name: 'SES', provider: 'ses', primary: false, serviceEnvironmentId: OWN });
const RETIRED = anIntegration({ name: 'Mandrill', deleted: true, active: false, serviceEnvironmentId: OWN });
const INBOX = anIntegration({ name: 'Inbox', channel: 'in_app', provider: 'svc', serviceEnvironmentId: OWN });
const SMS = anIntegration({ name: 'Twilio', channel: 'sms', active: false, serviceEnvironmentId: OWN });
const TEST_EMAIL = anIntegration({ serviceEnvironmentId: STAGED });
const OTHER = anIntegration({ channel: 'push', provider: 'fcm', serviceEnvironmentId: FOREIGN });
const LISTED = [RETIRED, TEST_EMAIL, SMS, SPARE, OTHER, EMAIL, INBOX];

function serviceIn(serviceEnvironmentId: string | null, listed = LISTED, unreadable = [UNREADABLE]) {
  const newest = serviceEnvironmentId === null ? [] : [anEvent({ serviceEnvironmentId })];
  return aService({
    listIntegrations: async () => ({ items: listed, unreadable, hasMore: false }),
    listEvents: async () => ({ items: newest, unreadable: [], hasMore: false, totalCount: null }),
  });
}

const unreachable = () => Promise.reject(new ServiceError('production', 'listEvents', { kind: 'unreachable' }));

const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);

type Filter = Parameters<typeof listIntegrations>[1];

describe('the integrations of an environment', () => {
  const list = (service = serviceIn(OWN), filter: Filter = { channels: [], providers: [] }) =>
    listIntegrations(service, filter);

  test('are its own, grouped by channel, active before inactive', async () => {
    const { items, unreadable } = await list();
    expect(namesOf(items)).toEqual(['Inbox', 'SendGrid', 'SES', 'Mandrill', 'Twilio']);
    expect(unreadable).toBe(1);
  });

  test('match the filter regardless of case', async () => {
    const { items } = await list(undefined, { channels: ['email'], providers: ['SendGrid'] });
    expect(namesOf(items)).toEqual(['SendGrid', 'Mandrill']);
  });

  test('name each channel without an active integration, whatever the filter, if all could be read', async () => {
    const filter = { channels: ['email'], providers: [] };
    expect((await list(serviceIn(OWN, LISTED, []), filter)).inactiveChannels).toEqual(['sms']);
    expect((await list()).inactiveChannels).toEqual([]);
  });

  test("can't be distinguished from the organization's others if it has no events", async () => {
    const { items, isEnvironmentKnown, inactiveChannels } = await list(serviceIn(null));
    expect({ isEnvironmentKnown, inactiveChannels }).toEqual({ isEnvironmentKnown: false, inactiveChannels: [] });
    expect(items).toHaveLength(LISTED.length);
  });

  test("are recognized without events if they're the only ones", async () => {
    expect(await list(serviceIn(null, [EMAIL, SMS]))).toMatchObject({ isEnvironmentKnown: true, items: [{}, {}] });
    expect(await list(serviceIn(null, []))).toMatchObject({ items: [] });
  });

  test("reject with the service’s error if they can't be read", async () => {
    await expect(list({ ...serviceIn(null), listIntegrations: unreachable })).rejects.toBeInstanceOf(ServiceError);
  });
});

const sms = anIntegration({ channel: 'sms', provider: 'twilio', name: 'Twilio' });

describe('a list of integrations', () => {
  const named = (name: string, change: Parameters<typeof anIntegration>[0]) => anIntegration({ name, ...change });

  test('has the channels in the order of the contract, and others after them by name', () => {
    const channels = ['webhook', 'push', 'fax', 'sms', 'in_app', 'chat', 'email'];
    const listed = inOrder(channels.map((channel) => anIntegration({ channel })));
    expect(listed.map(({ channel }) => channel)).toEqual([
      ...['in_app', 'email', 'sms', 'chat', 'push'],
      ...['fax', 'webhook'],
    ]);
  });

  test('has in a channel the active ones first, the primary one before the others, and deleted ones last', () => {
    const inEmail = [
      named('deleted', { deleted: true }),
      named('inactive', { active: false, primary: false }),
      named('b', { primary: false }),
      named('a', { primary: false, identifier: 'z' }),
      named('primary but inactive', { active: false }),
      named('primary', {}),
      named('a', { primary: false, identifier: 'y' }),
      named('deleted and inactive', { active: false, deleted: true }),
    ];
    const [first, ...others] = inOrder([sms, ...inEmail]);
    expect(first?.name).toBe('primary');
    expect(others.map(({ name, identifier }) => (name === 'a' ? `a ${identifier}` : name))).toEqual([
      ...['a y', 'a z', 'b', 'primary but inactive', 'inactive', 'deleted', 'deleted and inactive', 'Twilio'],
    ]);
  });
});

describe('who missed a transaction of a topic', () => {
  const EMAIL = { type: 'email', details: [aDetail()] };
  const inApp = aJob({ id: 'in-app', type: 'in_app', provider: null });
  const sentTo = (subscriberId: string, ...jobs: Job[]) => anEvent({ subscriber: aSubscriber(subscriberId), jobs });
  const refused = aJob({ ...EMAIL, status: 'failed' });
  const noAddress = aJob({
    ...EMAIL,
    status: 'canceled',
    details: [aDetail({ status: 'Failed', detail: 'Subscriber missing email address', raw: null })],
  });

  function asking(pages: readonly (readonly TriggeredEvent[])[], subscribers: readonly (string | null)[]) {
    const service = aService({
      clockAheadMs: () => 0,
      retrieveEvent: async () => null,
      async *eventPages() {
        for (const [index, items] of pages.entries())
          yield { items, unreadable: [], hasMore: index < pages.length - 1 };
      },
      listTopicSubscriptions: async () => {
        const items = subscribers.map((id) =>
          aSubscription({ createdAt: at(-60), subscriber: id === null ? null : aSubscriber(id) }),
        );
        return { items, unreadable: [], hasMore: false };
      },
    });
    const ctx = { service, now: () => at(60), progress: () => {} };
    return findMissed(ctx, 'launch', 'txn_0001');
  }

  const missedOf = (found: Awaited<ReturnType<typeof asking>>) =>
    Object.fromEntries((found?.missing ?? []).map(({ subscriber, missed }) => [subscriber?.subscriberId, missed]));

  test('is read in the steps of every page', async () => {
    const pages = [sentTo('refused-1', inApp, refused), sentTo('none-1', inApp, noAddress)];
    const later = [sentTo('refused-2', inApp, refused), sentTo('none-2', inApp, noAddress), sentTo('fine', inApp)];
    const found = await asking([pages, later], ['refused-1', 'none-1', 'refused-2', 'none-2', 'fine', 'left out']);
    const email = ['email'];
    expect(missedOf(found)).toEqual({
      'refused-1': email,
      'none-1': email,
      'refused-2': email,
      'none-2': email,
      'left out': null,
    });
  });

  test('is one state of each person, of all their events', async () => {
    const events = [
      sentTo('twice', refused),
      sentTo('twice', aJob({ type: 'email', details: [] })),
      sentTo('never', refused),
      sentTo('never', refused),
    ];
    expect(missedOf(await asking([events], ['twice', 'never']))).toEqual({ never: null });
  });

  test("isn't told of deleted subscribers, nor of those whose steps aren't shown", async () => {
    const unshown = anEvent({ id: null, subscriber: aSubscriber('unshown'), jobs: [], listsSteps: false });
    const found = await asking([[unshown]], ['unshown', null]);
    expect(found).toMatchObject({ missing: [], deleted: 1, unknown: 1, subscribed: 2 });
  });
});
