import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '../domain/access/audit.ts';
import { createSeal } from '../domain/access/seal.ts';
import type { Delivery, DigestRow } from '../domain/alerting/delivery.ts';
import { explainCause } from '../domain/causes/explain-cause.ts';
import { stepCauses } from '../domain/causes/step-causes.ts';
import { aChange, anIntegrationChange, aWorkflowChange } from '../domain/changes/changes.testing.ts';
import { InputError } from '../domain/errors.ts';
import { ALL_FAILURES } from '../domain/failures/failure-filter.ts';
import { judge } from '../domain/failures/judge.ts';
import { emptySummary } from '../domain/failures/tally.ts';
import type { IncidentNow } from '../domain/incidents/incident-now.ts';
import { ALL_INTEGRATIONS } from '../domain/lookups/integrations-found.ts';
import { addToTally, emptyTally } from '../domain/lookups/transaction.ts';
import { ALL_RECHECKED } from '../domain/polling/check.ts';
import { aDetail, aJob, anEvent } from '../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import { anIntegration } from '../domain/service/integration.testing.ts';
import { aMessage } from '../domain/service/message.testing.ts';
import type { Message } from '../domain/service/message.ts';
import { aSubscription } from '../domain/service/subscription.testing.ts';
import { SHOWN_TO } from '../domain/text/audience.ts';
import { aContact, type ContactId, reveals } from '../domain/text/contact-ids.testing.ts';
import { FreeText } from '../domain/text/free-text.ts';
import { Payload } from '../domain/text/payload.ts';
import { UNFILTERED } from '../domain/watches/watch.ts';
import type { MessageContent } from './blocks/blocks.ts';
import { forEveryone } from './blocks/for-everyone.ts';
import { deliveryMessage } from './digest/delivery-message.ts';
import { environmentSetMessage } from './environment/message.ts';
import { lookedUpMessage } from './event/message.ts';
import { failuresMessage } from './failures/message.ts';
import { integrationsMessage } from './integrations/message.ts';
import { cardFor } from './interactions/on-error.ts';
import { listMessage } from './lookup/list-message.ts';
import { choiceMessage } from './lookup/message.ts';
import { unknownMessage } from './lookup/unknown-message.ts';
import { messagesMessage } from './messages/message.ts';
import { aDigest, aRow, aTally, at, expectFit, NOON, PRODUCTION, STAGING } from './slack.testing.ts';
import { topicMessage } from './topic/message.ts';
import { changedMessage, endedMessage, madeMessage, takenOverMessage } from './watches/message.ts';
import { mutedMessage, unmutedMessage } from './watches/mute-message.ts';

/** What the service could answer: every id and name a contact, every private field a word that occurs nowhere else. */
interface Hostile {
  readonly contact: ContactId;
  readonly subject: string;
  readonly label: string;
  readonly address: string;
  readonly payload: string;
  readonly raw: string;
  readonly hasEventId: boolean;
  readonly status: string | null;
}

/** `AUDIENCE_CASES=10000 npx vitest run src/slack/audience.property.test.ts` measures many. */
const CASES = Number(process.env.AUDIENCE_CASES ?? 15);

const secret = (kind: string) => fc.stringMatching(/^[a-z]{12}$/).map((letters) => `${kind}${letters}`);

const hostile: fc.Arbitrary<Hostile> = fc.record({
  contact: aContact(),
  subject: secret('subject'),
  label: secret('label'),
  address: secret('address'),
  payload: secret('payload'),
  raw: secret('raw'),
  hasEventId: fc.boolean(),
  status: fc.constantFrom(null, 'pending', 'done'),
});

const seal = createSeal('xoxb-secret');
const EVENT_ID = '65f000000000000000000001';
const BY = 'U0ANN';
const CHANNEL = { is: 'channel', sharedBy: BY } as const;

function eventOf({ contact: { id }, payload, raw, hasEventId }: Hostile): TriggeredEvent {
  const detail = aDetail({
    detail: `Mailbox of ${id} is full`,
    raw: JSON.stringify({ response: { trace: raw } }),
    provider: id,
  });
  return anEvent({
    id: hasEventId ? EVENT_ID : null,
    mergedInto: hasEventId ? null : id,
    transactionId: id,
    subscriber: { subscriberId: id, initials: 'A. L.', maskedEmail: 'a•••@example.com', maskedPhone: '•••67' },
    workflow: { id, identifier: id, name: id, variables: [] },
    topicKeys: [id],
    contextKeys: [id],
    tags: [id],
    severity: id,
    payload: new Payload({ [payload]: payload, email: id }),
    jobs: [
      aJob({ status: 'failed', details: [detail], stepName: id, provider: id, overrides: new Payload({ [id]: raw }) }),
      aJob({ id: 'job-2', type: id, status: id, details: [] }),
    ],
  });
}

function messageOf({ contact: { id }, subject, label, address, status }: Hostile): Message {
  return aMessage({
    transactionId: id,
    subscriberId: id,
    workflow: id,
    contextKeys: [id],
    provider: id,
    subject: new FreeText(subject),
    errorText: new FreeText(`${id} was refused`),
    callToAction: {
      leadsTo: new FreeText(`https://${address}.example/${address}`),
      buttons: [new FreeText(label)],
      status,
      chosen: null,
    },
  });
}

function rowOf({ contact: { id }, hasEventId }: Hostile): DigestRow & IncidentNow {
  return aRow({
    tally: aTally({
      group: { workflow: id, workflowName: id, provider: id, channel: id },
      severity: id,
      example: { eventId: hasEventId ? EVENT_ID : null, transactionId: id, subscriberId: id },
    }),
    acknowledged: { by: BY, at: NOON },
  });
}

const window = { from: NOON, to: at(60) };
const gap = {
  id: 'gap-1',
  environment: 'production',
  from: NOON,
  to: null,
  cause: 'key-refused',
  openedAt: at(300),
  closedAt: null,
  unread: [],
  givenUp: [],
  events: 0,
  failures: 0,
} as const;

function watchOf({ contact: { id } }: Hostile) {
  const filter = {
    ...UNFILTERED.filter,
    workflows: [id],
    topics: [id],
    providers: [id],
    channels: [id],
    severities: [id],
  };
  return { id: 'w', channel: 'C0ONCALL', createdAt: NOON, createdBy: BY, settings: { ...UNFILTERED, filter } };
}

const audited = (change: Change): Delivery => ({
  kind: 'audit',
  id: 'm',
  channel: 'C0AUDIT',
  entry: {
    at: NOON,
    actor: BY,
    channel: 'C0ONCALL',
    environment: 'production',
    change,
    outcome: { is: 'refused', why: 'not-found' },
    intentId: null,
  },
});

/** Every kind of message that Notif posts by itself; the compiler names a kind that is missing here. */
const DELIVERIES: { readonly [K in Delivery['kind']]: (data: Hostile) => readonly Delivery[] } = {
  digest: (data) => [
    aDigest({ rows: [rowOf(data)], mention: { kind: 'person', id: BY } }),
    aDigest({ rows: [rowOf(data)], isFirst: true }),
  ],
  changes: ({ contact: { id } }) => {
    const integration = anIntegrationChange({ name: id, earlierName: id, aspects: ['renamed'] });
    const whats = [integration, aWorkflowChange({ name: id, identifier: id })];
    const changes = whats.map((what) => aChange({ what }));
    return [{ kind: 'changes', id: 'm', channel: 'C1', environment: 'production', changes }];
  },
  gap: () => [{ kind: 'gap', id: 'm', channel: 'C1', gap, mention: null }],
  summary: (data) => [
    {
      kind: 'summary',
      id: 'm',
      channel: 'C1',
      range: window,
      timeZone: 'UTC',
      filter: ALL_FAILURES,
      mutes: { mutes: [], mutedGroups: 0 },
      pending: { messages: 0, oldestAgeMs: 0, isOnlyChannels: false },
      environments: [
        {
          environment: 'production',
          eventsRead: 9,
          unreadable: 0,
          failedEvents: 1,
          counted: {},
          groups: { failing: 1, quiet: 0, recovered: 0 },
          open: [],
          belowThreshold: 0,
          largest: [rowOf(data)],
          gaps: [gap],
        },
      ],
    },
  ],
  'watch-orphaned': (data) => [
    { kind: 'watch-orphaned', id: 'm', channel: 'C1', watch: watchOf(data), endsAt: at(900) },
  ],
  'watch-ended': (data) => [{ kind: 'watch-ended', id: 'm', channel: 'C1', watch: watchOf(data), why: 'creator-gone' }],
  thread: (data) => [
    {
      kind: 'thread',
      id: 'm',
      channel: 'C1',
      threadTs: '1.1',
      event: { what: 'resolved', by: BY, at: NOON },
      incidents: [{ now: rowOf(data), total: { failures: 9, subscribers: 8, firstSeen: at(0), lastSeen: at(60) } }],
    },
  ],
  audit: ({ contact: { id } }) => [
    audited({ action: 'trigger', workflow: id, recipients: 3 }),
    audited({ action: 'credentials', subscriberId: id, provider: id }),
    audited({ action: 'watch-made', watch: `workflow:"${id}" topic:"${id}"` }),
    audited({ action: 'acknowledged', group: { workflow: id, channel: id, provider: id, cause: 'full' } }),
  ],
};

/** What people share with a channel, what a mention is answered, and what somebody did that the channel hears of. */
const SHARED: Readonly<Record<string, (data: Hostile) => MessageContent>> = {
  'an event': (data) => {
    const event = eventOf(data);
    const messages = { read: true, items: [messageOf(data)], hasMore: false } as const;
    const merged = { read: true, items: [event], hasMore: false } as const;
    const judgement = judge(event, at(60));
    const causes = stepCauses(judgement, explainCause);
    const found = { found: 'event', environment: PRODUCTION, event, judgement, causes, messages, merged } as const;
    return lookedUpMessage(found, CHANNEL);
  },
  'a transaction': (data) => {
    const events = [eventOf(data), { ...eventOf(data), id: '65f000000000000000000002' }];
    const tally = events.reduce(
      (sum, event) => addToTally(sum, event, judge(event, at(60))),
      emptyTally(data.contact.id),
    );
    const start = { before: at(3_600), page: 0, counts: {} };
    return lookedUpMessage({ found: 'transaction', environment: PRODUCTION, tally, start, next: null }, CHANNEL);
  },
  'nothing found': ({ contact: { id } }) =>
    lookedUpMessage({ found: 'nothing', environment: PRODUCTION, target: { kind: 'transaction', id } }, CHANNEL),
  'an unknown ID': ({ contact: { id } }) =>
    unknownMessage(
      {
        target: { kind: 'transaction', id },
        environment: PRODUCTION,
        meanings: [
          { environment: PRODUCTION, kind: 'topic' },
          { environment: STAGING, kind: 'subscriber' },
          { environment: STAGING, kind: 'transaction' },
        ],
        unchecked: [STAGING],
      },
      { audience: 'everyone', now: NOON, seal },
    ),
  messages: (data) => {
    const { id } = data.contact;
    const filter = { channel: id, subscriberId: id, transactionIds: [id], contextKeys: [id] };
    const page = { offset: 0, items: [messageOf(data)], unreadable: 0, totalCount: 1, next: null };
    return messagesMessage({ found: 'messages', environment: PRODUCTION, filter, ...page }, BY);
  },
  'a topic': ({ contact: { id } }) =>
    topicMessage(
      {
        found: 'subscriptions',
        environment: PRODUCTION,
        question: { topicKey: id, subscriberId: id, order: 'newest', place: { at: 'start' } },
        topic: { key: id, name: id, createdAt: NOON, updatedAt: null },
        items: [
          aSubscription({ id, subscriber: { subscriberId: id, initials: null, maskedEmail: null, maskedPhone: null } }),
        ],
        unreadable: 0,
        next: null,
        previous: null,
        totalCount: 1,
        isCapped: false,
      },
      CHANNEL,
    ),
  integrations: ({ contact: { id } }) =>
    integrationsMessage(
      {
        environment: PRODUCTION,
        filter: ALL_INTEGRATIONS,
        items: [
          {
            ...anIntegration({ name: id, identifier: id, provider: id, deletedBy: id, deleted: true }),
            home: { is: 'known', label: 'production' },
            lately: null,
          },
        ],
        isOwnKnown: true,
        elsewhere: [],
        inactiveChannels: [],
        channels: ['email'],
        unreadable: 0,
      },
      { environment: 'production', filter: ALL_INTEGRATIONS, scope: 'own', offset: 0 },
      BY,
    ),
  failures: (data) => {
    const { id } = data.contact;
    const filter = { ...ALL_FAILURES, workflows: [id], providers: [id], subscribers: [id], transactions: [id] };
    const summary = { ...emptySummary(), eventsRead: 9, groups: [rowOf(data).tally], counts: { failed: 48 } };
    const found = {
      environment: PRODUCTION,
      filter,
      asked: window,
      freshness: { asOf: at(60), isCurrent: true, notRechecked: ALL_RECHECKED },
      read: window,
      unread: null,
      trouble: null,
    };
    return failuresMessage(
      { ...found, gaps: { unread: [], givenUp: [] }, summary },
      {
        request: { environment: 'production', filter, ...window, offset: 0 },
        now: at(90),
        horizonMs: 3_600_000,
        sharedBy: BY,
        explainCause,
        incidents: new Map(summary.groups.map((tally) => [tally.group.key, { ...rowOf(data), tally }])),
      },
    );
  },
  "a subscriber's events": (data) => {
    const event = eventOf(data);
    const request = {
      environment: 'production',
      owner: { kind: 'subscriber', id: data.contact.id },
      before: NOON,
      page: 0,
    } as const;
    const list = {
      environment: PRODUCTION,
      request,
      events: [{ event, judgement: judge(event, NOON) }],
      unreadable: 0,
    };
    return listMessage({ ...list, hasMore: true, elsewhere: [] }, { isForAll: true, seal });
  },
  'a choice': ({ contact: { id } }) =>
    choiceMessage(
      [
        { environment: PRODUCTION, target: { kind: 'subscriber', id } },
        { environment: PRODUCTION, target: { kind: 'transaction', id } },
      ],
      { areMore: false, audience: 'everyone', now: NOON, seal },
    ),
  'an error': ({ contact: { id } }) =>
    cardFor(new InputError('subscriber', `Nothing is known of ${id}.`, `subscriber:${id}`), {
      environments: [PRODUCTION],
      operators: { who: 'nobody' },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      newReference: () => '7F3K2',
    }),
  'a watch that was made': (data) => madeMessage(watchOf(data), { zoneFrom: 'nowhere', environments: [PRODUCTION] }),
  'a watch that was changed': (data) => changedMessage(watchOf(data), BY, [PRODUCTION]),
  'a watch that was ended': (data) => endedMessage(watchOf(data), BY, [PRODUCTION]),
  'a watch that was taken over': () => takenOverMessage(BY),
  'a muted watch': (data) =>
    mutedMessage([{ watch: watchOf(data), number: 1, mute: { by: BY, from: NOON, until: at(900) } }], BY),
  'an unmuted watch': (data) => unmutedMessage([{ watch: watchOf(data), number: 1 }], BY),
  "a channel's environment": () => environmentSetMessage(STAGING, PRODUCTION, BY),
};

const PRIVATE = ['subject', 'label', 'address', 'payload', 'raw'] as const satisfies readonly (keyof Hostile)[];

function expectNothingPrivate(content: MessageContent, data: Hostile): void {
  const all = JSON.stringify(content);
  for (const field of PRIVATE) expect(all, field).not.toContain(data[field]);
}

function expectForEveryone(content: MessageContent, data: Hostile): void {
  expectNothingPrivate(content, data);
  const posted = forEveryone(content);
  expect(reveals(JSON.stringify(posted).normalize('NFKC'), data.contact)).toBe(false);
  if (CASES < 100) expectFit(posted);
}

describe('what everyone in a channel sees', () => {
  const drawn = {
    environments: [PRODUCTION, STAGING],
    possibleRepeat: true,
    isNew: true,
    names: new Map(),
    explainCause,
  };
  const posted = Object.entries(DELIVERIES).map(
    ([kind, contents]) => [kind, (data: Hostile) => contents(data).map((one) => deliveryMessage(one, drawn))] as const,
  );
  const shared = Object.entries(SHARED).map(([name, content]) => [name, (data: Hostile) => [content(data)]] as const);

  test.each([...posted, ...shared])('%s holds nothing above its audience', (_, contentsOf) => {
    fc.assert(
      fc.property(hostile, (data) => {
        for (const content of contentsOf(data)) expectForEveryone(content, data);
      }),
      { numRuns: CASES },
    );
  });

  test('is masked as its builder masks it', () => {
    const masked = {
      found: 'nothing',
      environment: PRODUCTION,
      target: { kind: 'transaction', id: 'Anna@example.com' },
    } as const;
    const content = lookedUpMessage(masked, CHANNEL);
    expect(JSON.stringify(content)).toContain('`A•••@example.com`');
    expect(forEveryone(content)).toEqual(content);
  });

  test('is changed by the last look only where a contact is in it', () => {
    const content = lookedUpMessage(
      { found: 'nothing', environment: PRODUCTION, target: { kind: 'transaction', id: 'txn_ﬁve…½\u00a02026-03-04' } },
      CHANNEL,
    );
    expect(forEveryone(content)).toEqual(content);
  });
});

test('the person who asked sees the subject and the call to action of a message', () => {
  const [data] = fc.sample(hostile, { numRuns: 1, seed: 1 });
  if (data === undefined) throw new Error('there is no sample');
  const page = { offset: 0, items: [messageOf(data)], unreadable: 0, totalCount: 1, next: null };
  const filter = { channel: null, subscriberId: null, transactionIds: [], contextKeys: [] };
  const all = JSON.stringify(messagesMessage({ found: 'messages', environment: PRODUCTION, filter, ...page }, null));
  expect(all).toContain(data.subject);
  expect(all).toContain(data.label);
});

test('nobody sees a credential or a contact whole', () => {
  expect(SHOWN_TO).toMatchObject({ credential: 'masked', contact: 'masked' });
});
