import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainCause, failureCauses } from '../causes/explain-cause.ts';
import { ALL_FAILURES } from '../judging/filter.ts';
import { judge } from '../judging/judge.ts';
import { InputError } from '../lib/errors.ts';
import { silent } from '../lib/logger.testing.ts';
import { reveals } from '../lib/text/contact-ids.testing.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import { bucketsOf } from '../lookups/chart.ts';
import { aSending } from '../sendings/sending.testing.ts';
import { aSubscriber } from '../service/event.testing.ts';
import { anIntegration, aSubscription } from '../service/lists.testing.ts';
import { auditedWords } from './features/changes/audit.ts';
import { eventCard } from './features/event/event-card.ts';
import { eventsMessage } from './features/event/events.ts';
import { choiceMessage } from './features/event/lookup.ts';
import { messagesMessage, noSubscriber } from './features/event/messages.ts';
import { transactionCard } from './features/event/transaction.ts';
import { chartMessage } from './features/failures/chart.ts';
import { failuresMessage } from './features/failures/failures.ts';
import { handoverMessage } from './features/incidents/handover.ts';
import { timelineMessage } from './features/incidents/timeline.ts';
import { integrationsMessage } from './features/integrations/integrations.ts';
import type { Content, ContentOf } from './features/posts/content.ts';
import { contentMessage } from './features/posts/publisher.ts';
import { noTopic, topicMessage } from './features/topic/topic.ts';
import { environmentSetMessage } from './features/watches/environment-command.ts';
import { watchMessage } from './features/watches/messages.ts';
import {
  BY,
  causeFor,
  changesOf,
  eventOf,
  type Hostile,
  handoverOf,
  happenedTo,
  hostile,
  incidentOf,
  incidentsOf,
  messageOf,
  watchOf,
  window,
} from './hostile.testing.ts';
import { cardFor } from './kit/error-card.ts';
import { forEveryone } from './kit/for-everyone.ts';
import { asMessage, type MessageContent } from './kit/message.ts';
import { code, joined, mrkdwn } from './kit/text.ts';
import { aDigest, aLine, aRow, at, expectFit, NOON, PRODUCTION, STAGING, wordsOf } from './slack.testing.ts';

/** The number of cases. `AUDIENCE_CASES=10000 npx vitest run src/slack/audience.property.test.ts` runs many. */
const CASES = Number(process.env.AUDIENCE_CASES ?? 15);
const timeout = 180_000 + CASES * 500;

const IN_C1 = { id: 'm', channel: 'C1' };

/** What Notif posts, by its kind. */
const DELIVERIES: { [Kind in Content['kind']]: (data: Hostile) => readonly ContentOf<Kind>[] } = {
  digest: (data) => [
    aDigest({
      rows: incidentsOf(data).map((incident, index) => {
        return aRow(incident, { isContinued: index === 1, reason: 'back', olderTs: '1.1' });
      }),
      singles: incidentsOf(data),
      mention: { kind: 'person', id: BY },
    }),
    aDigest({ rows: [aRow(incidentOf(data))] }),
    aDigest({ rows: [], singles: [incidentOf(data)] }),
  ],
  changes: (data) => [{ ...IN_C1, kind: 'changes', environment: 'production', changes: changesOf(data) }],
  test: ({ contact: { id } }) => {
    const to = { subscriberId: id, shownId: maskedId(id), row: 1, transactionId: 't' };
    const tested = [{ ...to, workflow: id, state: 'failed', why: causeFor(id) } as const];
    return [{ ...IN_C1, kind: 'test', sending: aSending({ incidentId: null }), tested }];
  },
  resend: ({ contact: { id } }) => [
    {
      ...IN_C1,
      kind: 'resend',
      counts: { failed: 1, waiting: 1 },
      lastSentAt: NOON,
      accepted: 1,
      incidentId: 1,
      code: null,
      sending: aSending({ stoppedAt: NOON, lastRefusal: causeFor(id) }),
      reasons: [{ state: 'failed', why: causeFor(id), events: 1 }],
    },
  ],
  summary: (data) => {
    const checked = { environment: 'production', eventsChecked: 9, unreadable: 0, missing: [window] };
    const open = { firing: 1, critical: 0, unconfirmed: 0 };
    const environments = [{ ...checked, failedEvents: 1, open, resolved: 0, largest: incidentsOf(data) }];
    return [{ ...IN_C1, kind: 'summary', range: window, filter: ALL_FAILURES, mutes: [], environments }];
  },
  weekly: ({ contact: { id } }) => {
    const workflow = { workflow: id, attempts: 9, failed: 1, p95Ms: 9, before: null };
    const silent = { incidentId: 1, environment: 'production', workflow: id, name: id, critical: true, since: NOON };
    const week = {
      environment: 'production',
      missing: [window],
      incidents: 1,
      incidentsBefore: 1,
      acknowledgedMs: 1,
      endedMs: 1,
      notLookedAt: 1,
      attempts: 9,
      failed: 1,
      workflows: [workflow],
      silent: [{ ...silent, usually: 'pauses usually end within 3 min' }],
      target: { share: 0.99, daysKept: 1, days: 2 },
    };
    return [{ ...IN_C1, kind: 'weekly', range: window, filter: ALL_FAILURES, environments: [week] }];
  },
  renamed: (data) => [{ ...IN_C1, kind: 'renamed', environment: 'live', from: 'production', watches: [watchOf(data)] }],
  'watch-ended': (data) => [{ ...IN_C1, kind: 'watch-ended', watch: watchOf(data), why: 'channel-left' }],
  line: (data) => {
    const line = { ...IN_C1, kind: 'line', isBroadcast: false, mention: null, isNamed: true } as const;
    return happenedTo(data).map((event) => ({
      ...line,
      turns: incidentsOf(data).map((incident) => ({ event, incident })),
    }));
  },
  personal: (data) =>
    (['assigned', 'taken', 'unacknowledged'] as const).flatMap((what) =>
      [incidentOf(data), null].map((incident) => ({
        kind: 'personal',
        id: 'm',
        channel: BY,
        news: { what, actor: BY, to: BY },
        at: NOON,
        incident,
        title: incidentOf(data),
      })),
    ),
};

function chartMessages(data: Hostile): readonly MessageContent[] {
  const { id } = data.contact;
  const filter = { ...ALL_FAILURES, workflows: [id], providers: [id], subscribers: [id], tags: [id], contexts: [id] };
  const range = { from: NOON, to: at(3_600) };
  const checked = { environment: PRODUCTION, range, read: range, since: null, trouble: null, outage: null };
  const series = [id, causeFor(id), null].map((name) => ({ name, counts: [1, 2], failures: 3 }));
  const freshness = { asOf: NOON, isCurrent: true };
  const counted = { unchecked: [window], givenUp: [], freshness, eventsChecked: 9, unreadable: 1 };
  const chart = { ...checked, ...counted, buckets: bucketsOf(range), series, attempts: null };
  return [chartMessage(chart, { environment: 'production', filter, ...range }, 'UTC', NOON)];
}

/** Answers to a person who asked by an ID, which show it to that person. */
const LOOKUPS: Readonly<Record<string, (data: Hostile) => MessageContent>> = {
  'an event': (data) => {
    const event = eventOf(data);
    const messages = { items: [messageOf(data)], hasMore: false, error: null };
    const judgment = judge(event, at(60));
    const causes = failureCauses(judgment, explainCause);
    const found = { environment: PRODUCTION, event, judgment, causes, messages, aheadMs: null };
    return eventCard(found, []);
  },
  'a transaction': (data) => {
    const events = [eventOf(data), { ...eventOf(data), id: '65f000000000000000000002' }];
    const judged = events.map((event) => ({ event, judgment: judge(event, at(60)) }));
    const read = { events: judged, unreadable: 0, misfits: [], isAll: true, aheadMs: null };
    const transaction = { environment: PRODUCTION, transactionId: data.contact.id, ...read };
    return transactionCard(transaction, 30);
  },
  messages: (data) => {
    const { id } = data.contact;
    const filters = { subscriber: [id], tx: [id], context: [id] };
    const page = { items: [messageOf(data)], unreadable: [], totalCount: 1, hasMore: false };
    return messagesMessage(aLine({ filters }), page, null);
  },
  'a topic': ({ contact: { id } }) => {
    const items = [aSubscription({ id, subscriber: aSubscriber(id) })];
    const page = { items, unreadable: [], hasMore: false, next: null, totalCount: 1 };
    return topicMessage(aLine({ words: [id], filters: { subscriber: [id] } }), page, null);
  },
  "a subscriber's events": (data) => {
    const event = eventOf(data);
    const { id } = data.contact;
    const others = { topic: [id], tx: [id], context: [id], email: [id], search: [id] };
    const events = [{ event, judgment: judge(event, NOON) }];
    return eventsMessage(
      aLine({ filters: { subscriber: [id], workflow: [id], ...others } }),
      {},
      { events, from: 0, unreadable: 0, misfits: [], next: 50, end: NOON, aheadMs: null },
    );
  },
  'a choice': ({ contact: { id } }) =>
    choiceMessage([
      { environment: PRODUCTION, target: { kind: 'subscriber', id } },
      { environment: PRODUCTION, target: { kind: 'transaction', id } },
    ]),
  'no such subscriber': ({ contact: { id } }) => noSubscriber(PRODUCTION, code(id)),
  'no such topic': ({ contact: { id } }) => noTopic(aLine(), id, id),
};

/** Answers that can be shared in a channel. */
const SHARED: Readonly<Record<string, (data: Hostile) => MessageContent>> = {
  ...LOOKUPS,
  integrations: ({ contact: { id } }) =>
    integrationsMessage(aLine(), {
      items: [anIntegration({ name: id, identifier: id, provider: id, deleted: true })],
      isEnvironmentKnown: true,
      inactiveChannels: [],
      unreadable: 0,
    }),
  failures: (data) => {
    const { id } = data.contact;
    const filter = { ...ALL_FAILURES, workflows: [id], providers: [id], subscribers: [id], transactions: [id] };
    const workflows = [id, 'another'].map((name) => ({ name, failures: 24 }));
    const causes = [{ ...incidentOf(data), incidentId: 1, firstSeen: NOON, lastSeen: at(60), workflows }];
    const summary = { causes, counts: { failed: 48 }, failedEvents: 0, eventsChecked: 9, unreadable: 0 };
    const freshness = { asOf: at(60), isCurrent: true };
    const read = { environment: PRODUCTION, range: window, freshness, read: window, since: null };
    const request = { environment: 'production', filter, ...window };
    const incidents = new Map([[1, incidentOf(data)]]);
    const shown = { request, now: at(90), explainCause, incidents };
    return failuresMessage({ ...read, trouble: null, outage: null, ...summary, unchecked: [], givenUp: [] }, shown);
  },
  'the audit trail': ({ contact: { id } }) => {
    const changes = [
      { action: 'credentials', subscriberId: id, provider: 'fcm' },
      { action: 'watch-made', watch: `topic:${id}` },
    ] as const;
    const words = changes.map((change) => auditedWords(change, NOON, [PRODUCTION]));
    return asMessage(joined(words, ' '));
  },
  'an error': ({ contact: { id } }) => {
    const operators = { isEverybody: false, users: [], groups: [] };
    const ctx = { environments: [PRODUCTION], operators, logger: silent, newReference: () => '7F3K2' };
    return cardFor(ctx, new InputError('subscriber', `Nothing is known of ${id}.`, `subscriber:${id}`));
  },
  'a watch that was made': (data) => watchMessage(mrkdwn`A watch`, watchOf(data), [PRODUCTION], null),
  'what a watch would have alerted to': (data) => {
    const { id } = data.contact;
    const about = { channel: id, provider: id, cause: causeFor(id) };
    const incident = { id: 1, code: '1f2e3d4c', ...about, failures: 3, firstAt: NOON };
    const preview = { range: window, incidents: [incident], messages: [], belowThreshold: 1, hasMention: true };
    return watchMessage(mrkdwn`A watch`, watchOf(data), [PRODUCTION], preview);
  },
  'a handover': (data) => handoverMessage(handoverOf(data), 'handover'),
  'a timeline': (data) =>
    timelineMessage({
      incident: incidentOf(data),
      environment: PRODUCTION,
      entries: happenedTo(data).flatMap((event) => (event.is === 'entry' ? [event.entry] : [])),
      changes: changesOf(data),
      posts: [],
      resends: [],
      names: new Map([[BY, 'ann']]),
    }),
  "a channel's environment": () => environmentSetMessage(STAGING, PRODUCTION, BY),
};

const PRIVATE = ['payload', 'raw'] as const satisfies readonly (keyof Hostile)[];

function expectNothingPrivate(content: MessageContent, data: Hostile): void {
  const all = JSON.stringify(content);
  for (const field of PRIVATE) expect(all, field).not.toContain(data[field]);
}

function expectForEveryone(content: MessageContent, data: Hostile): void {
  const posted = forEveryone(content, BY);
  expectNothingPrivate(posted, data);
  expect(reveals(JSON.stringify(posted).normalize('NFKC'), data.contact)).toBe(false);
  // Runs of many cases are about contacts alone.
  if (CASES < 100) expectFit(posted);
}

describe('a message for everyone in a channel', { timeout }, () => {
  const drawn = { environments: [PRODUCTION, STAGING], explainCause };
  const posted = Object.entries(DELIVERIES).map(
    ([kind, contents]) => [kind, (data: Hostile) => contents(data).map((raw) => contentMessage(raw, drawn))] as const,
  );
  const shared = Object.entries(SHARED).map(([name, content]) => [name, (data: Hostile) => [content(data)]] as const);

  test.each([...posted, ...shared, ['charts', chartMessages] as const])(
    'shows no contact, and nothing that only one person may see: %s',
    (_, contentsOf) => {
      fc.assert(
        fc.property(hostile, (data) => {
          for (const content of contentsOf(data)) expectForEveryone(content, data);
        }),
        { numRuns: CASES },
      );
    },
  );

  test('stays the same when it is masked again', () => {
    const content = forEveryone(noSubscriber(PRODUCTION, code('Anna@example.com')));
    expect(JSON.stringify(content)).toContain('`A•••@example.com`');
    expect(forEveryone(content)).toEqual(content);
  });

  test('is changed only if it contains a contact', () => {
    const content = noSubscriber(PRODUCTION, code('txn_ﬁve…½\u00a02026-03-04'));
    expect(forEveryone(content)).toEqual(content);
  });
});

describe('an answer to one person', { timeout }, () => {
  test.each(Object.entries(LOOKUPS))('shows the contact that was asked for: %s', (_, content) => {
    fc.assert(
      fc.property(hostile, (data) => {
        expect(reveals(wordsOf(content(data)).normalize('NFKC'), data.contact)).toBe(true);
      }),
      { numRuns: CASES },
    );
  });
});
