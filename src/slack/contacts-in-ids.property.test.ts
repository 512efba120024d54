import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NumberedEntry } from '../audit/entry.ts';
import { explainCause } from '../causes/explain-cause.ts';
import type { Tally } from '../failures/failure.ts';
import { ALL_FAILURES, filterBy } from '../failures/filter.ts';
import { judge } from '../failures/judge.ts';
import { aContact, type ContactId, reveals } from '../lib/text/contact-ids.testing.ts';
import type { FoundEvent, FoundTransaction } from '../lookups/event.ts';
import { emptySummary } from '../lookups/failures.ts';
import { aFailedEvent, anEvent, aWorkflow } from '../service/event.testing.ts';
import { aMessage } from '../service/message.testing.ts';
import { aSubscription } from '../service/subscription.testing.ts';
import { UNFILTERED } from '../watches/settings.ts';
import { digestMessage } from './features/digest/message.ts';
import { eventCard } from './features/event/card-message.ts';
import { eventsMessage } from './features/event/events.ts';
import { choiceMessage } from './features/event/lookup.ts';
import { messagesMessage, noSubscriber } from './features/event/messages.ts';
import { transactionCard } from './features/event/transaction-message.ts';
import { failuresMessage } from './features/failures/failures.ts';
import { changeWords } from './features/lists/audit.ts';
import { noTopic, topicMessage } from './features/lists/topic.ts';
import { type MessageContent, message, sentence } from './kit/blocks.ts';
import { forEveryone } from './kit/for-everyone.ts';
import { incidentRow } from './kit/incident/incident-row.ts';
import { mrkdwn } from './kit/text.ts';
import { filterWords } from './kit/words/filter-words.ts';
import { settingsLines } from './kit/words/watch-words.ts';
import { aDigest, aLine, anIncident, aRow, aTally, at, CTX, NOON, PRODUCTION, wordsOf } from './slack.testing.ts';

/** Each flow's message about something whose IDs, except the event's, are all this contact, for the person who asked. */
const FLOWS: Readonly<Record<string, (id: string) => MessageContent>> = {
  'an event': (id) => eventCard(foundEvent(id), []),
  'a transaction': (id) => transactionCard(foundTransaction(id)),
  messages: (id) => {
    const items = [aMessage({ transactionId: id, subscriberId: id, contextKeys: [id], workflow: id })];
    const query = { subscriberId: id, transactionIds: [id], contextKeys: [id] };
    return messagesMessage(aLine(), query, { items, unreadable: [], totalCount: 1, hasMore: false });
  },
  'no such subscriber': (id) => noSubscriber(aLine(), { subscriberId: id }),
  'a topic': (id) =>
    topicMessage(aLine({ words: [id], filters: { subscriber: [id] } }), {
      items: [
        aSubscription({
          topic: { key: id, name: id, createdAt: NOON, updatedAt: null },
          subscriber: { subscriberId: id, initials: null, maskedEmail: null, maskedPhone: null },
        }),
      ],
      ...{ unreadable: [], hasMore: false, next: null, totalCount: 1, totalCountCapped: false },
    }),
  'no such topic': (id) => noTopic(aLine(), id),
  "a subscriber's events": (id) => {
    const event = eventWith(id);
    const events = [{ event, judgement: judge(event, NOON) }];
    const line = aLine({ filters: { subscriber: [id] } });
    return eventsMessage(CTX, line, {}, { events, unreadable: 0, next: 50, end: NOON });
  },
  'a choice between ids': (id) =>
    choiceMessage([
      { environment: PRODUCTION, target: { kind: 'subscriber', id } },
      { environment: PRODUCTION, target: { kind: 'event', id: '65f000000000000000000001' } },
    ]),
};

function eventWith(id: string) {
  return aFailedEvent({
    transactionId: id,
    subscriber: { subscriberId: id, initials: null, maskedEmail: null, maskedPhone: null },
    workflow: aWorkflow({ id: '64w', identifier: id, name: id }),
    topicKeys: [id],
    contextKeys: [id],
    tags: [id],
  });
}

function foundEvent(id: string): FoundEvent {
  const event = eventWith(id);
  return {
    found: 'event',
    environment: PRODUCTION,
    event,
    judgement: judge(event, at(60)),
    causes: new Map(),
    messages: { read: true, items: [aMessage({ transactionId: id })], hasMore: false },
    merged: null,
  };
}

function foundTransaction(id: string): FoundTransaction {
  const events = [eventWith(id), anEvent({ ...eventWith(id), id: '65f000000000000000000002' })];
  return {
    found: 'transaction',
    environment: PRODUCTION,
    transactionId: id,
    events: events.map((event) => ({ event, judgement: judge(event, at(60)) })),
    unreadable: 0,
    isAll: true,
    trouble: null,
  };
}

const RUNS = { numRuns: 30 };

function allOf(message: unknown): string {
  return JSON.stringify(message).normalize('NFKC');
}

describe.each(Object.entries(FLOWS))('%s with contacts as IDs', (_, flow) => {
  test('hides them from a channel, buttons included', () => {
    fc.assert(
      fc.property(aContact(), (contact) => {
        expect(reveals(allOf(forEveryone(flow(contact.id), 'U0ANN')), contact)).toBe(false);
      }),
      RUNS,
    );
  });

  test('shows them to the person who asked', () => {
    fc.assert(
      fc.property(aContact(), (contact) => {
        expect(reveals(wordsOf(flow(contact.id)).normalize('NFKC'), contact)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('messages for channels only:', () => {
  const foundRow = (tally: Tally, ...names: readonly string[]) => {
    const workflows = names.map((name) => ({ name, failures: 1 }));
    const range = { from: NOON, to: at(60) };
    const checked = { environment: PRODUCTION, range, read: range, since: null, trouble: null };
    const gaps = { unchecked: [], givenUp: [] };
    const summary = { ...emptySummary(), causes: [{ tally, workflows }], totalCauses: 1 };
    const found = { ...checked, gaps, freshness: { asOf: NOON, isCurrent: true }, filter: ALL_FAILURES, summary };
    const request = { environment: 'production', filter: ALL_FAILURES, ...range, offset: 0 };
    const incidents = new Map([[1, anIncident({ tally })]]);
    return failuresMessage(found, { request, incidents, explainCause, now: at(60), horizonMs: 3_600_000 }).blocks;
  };
  const tallyWith = (id: string) =>
    aTally({
      incidentId: 1,
      kind: { workflow: id, workflowName: id },
      example: { eventId: '65f000000000000000000001', transactionId: id, subscriberId: id },
    });
  const withoutId = (id: string) => aTally({ example: { eventId: null, transactionId: id, subscriberId: id } });
  const LINES: Readonly<Record<string, (id: string) => unknown>> = {
    'a digest': (id) =>
      digestMessage(aDigest({ rows: [aRow({ tally: tallyWith(id) })] }), {
        label: PRODUCTION.label,
        explainCause,
        isNew: true,
      }),
    'a cause of one workflow': (id) => foundRow(tallyWith(id), id),
    'a cause of several workflows': (id) => foundRow(tallyWith(id), id, id),
    'a tally whose event has no id': (id) => {
      const row = incidentRow(anIncident({ tally: withoutId(id) }), {
        messageId: 'digest-1',
        beside: null,
        cause: null,
        namesPeople: true,
        isTerse: false,
      });
      return forEveryone(message(mrkdwn``, [...foundRow(withoutId(id), id), row].flat()));
    },
    'a shared filter': (id) => forEveryone(sentence(filterWords(filterBy(() => [id])) ?? mrkdwn``)),
    "a watch's settings": (id) =>
      settingsLines(
        { ...UNFILTERED, filter: { ...UNFILTERED.filter, topics: [id], workflows: [id], subscribers: [id] } },
        { environments: [PRODUCTION], namesPeople: true },
      ).join(),
    'the audit trail': (id) => [
      `${changeWords(anEntry({ action: 'credentials', subscriberId: id, provider: 'fcm' }), [PRODUCTION])}`,
      `${changeWords(anEntry({ action: 'watch-made', watch: `topic:${id}` }), [PRODUCTION])}`,
    ],
  };

  test.each(Object.entries(LINES))('%s shows no contact', (_, line) => {
    fc.assert(
      fc.property(aContact(), (contact: ContactId) => {
        expect(reveals(allOf(line(contact.id)), contact)).toBe(false);
      }),
      RUNS,
    );
  });
});

function anEntry(change: NumberedEntry['change']): NumberedEntry {
  return {
    at: NOON,
    actor: 'U0ANN',
    channel: 'C0ONCALL',
    environment: 'production',
    change,
    outcome: { is: 'done' },
    intentId: null,
    number: 1,
  };
}
