import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NumberedEntry } from '../domain/access/audit.ts';
import { createSeal } from '../domain/access/seal.ts';
import { explainCause } from '../domain/causes/explain-cause.ts';
import { filterBy } from '../domain/failures/failure-filter.ts';
import { judge } from '../domain/failures/judge.ts';
import { emptySummary } from '../domain/failures/tally.ts';
import { aFailedEvent, anEvent, aWorkflow } from '../domain/service/event.testing.ts';
import { aMessage } from '../domain/service/message.testing.ts';
import { aSubscription } from '../domain/service/subscription.testing.ts';
import { aContact, type ContactId, reveals } from '../domain/text/contact-ids.testing.ts';
import type { FoundEvent, FoundTransaction } from '../lookups/event.ts';
import { listRequest } from '../lookups/event-list.ts';
import { addToTally, emptyTally } from '../lookups/transaction.ts';
import { UNFILTERED } from '../watches/settings.ts';
import { changeWords } from './audit/change-message.ts';
import type { MessageContent } from './blocks/blocks.ts';
import { incidentRow } from './blocks/incident/incident-row.ts';
import { audienceOf, REQUESTER, type Reader } from './blocks/reader.ts';
import { filterWords } from './blocks/words/only-words.ts';
import { settingsLines } from './blocks/words/watch-words.ts';
import { digestMessage } from './digest/message.ts';
import { lookedUpMessage } from './event/message.ts';
import { type CauseTallies, causeRow } from './failures/cause-row.ts';
import { LIST, listMessage, parseList } from './lookup/events-message.ts';
import { bothMessage, choiceMessage } from './lookup/lookup.ts';
import { messagesMessage } from './messages.ts';
import { aDigest, anIncident, aRow, aTally, at, buttonValue, NOON, PRODUCTION, wordsOf } from './slack.testing.ts';
import { topicMessage } from './topic.ts';

const seal = createSeal('xoxb-secret');
const CHANNEL: Reader = { is: 'channel', sharedBy: 'U0ANN' };

/** Each flow's message about something whose IDs, except the event's, are all this contact: for a channel, or for the person who asked. */
const FLOWS: Readonly<Record<string, (id: string, reader: Reader) => MessageContent>> = {
  'an event': (id, reader) => lookedUpMessage(foundEvent(id), reader),
  'a transaction': (id, reader) => lookedUpMessage(foundTransaction(id), reader),
  'nothing found': (id, reader) =>
    bothMessage(id, listRequest(PRODUCTION, { subscriber: [id] }, NOON), PRODUCTION, audienceOf(reader), seal),
  messages: (id, reader) =>
    messagesMessage(
      {
        found: 'messages',
        environment: PRODUCTION,
        filter: { channel: null, subscriberId: id, transactionIds: [id], contextKeys: [id] },
        offset: 0,
        items: [aMessage({ transactionId: id, subscriberId: id, contextKeys: [id], workflow: id })],
        unreadable: 0,
        totalCount: 1,
        next: null,
      },
      reader,
    ),
  'no such subscriber': (id, reader) =>
    messagesMessage(
      {
        found: 'no-subscriber',
        environment: PRODUCTION,
        filter: { channel: null, subscriberId: id, transactionIds: [], contextKeys: [] },
      },
      reader,
    ),
  'a topic': (id, reader) =>
    topicMessage(
      {
        found: 'subscriptions',
        environment: PRODUCTION,
        question: { topicKey: id, subscriberId: id, order: 'newest', after: null },
        topic: { key: id, name: id, createdAt: NOON, updatedAt: null },
        items: [
          aSubscription({
            subscriber: { subscriberId: id, initials: null, maskedEmail: null, maskedPhone: null },
          }),
        ],
        unreadable: 0,
        next: null,
        isRestUnread: false,
        totalCount: 1,
        isCapped: false,
      },
      reader,
    ),
  'no such topic': (id, reader) =>
    topicMessage(
      {
        found: 'no-topic',
        environment: PRODUCTION,
        question: { topicKey: id, subscriberId: null, order: 'newest', after: null },
      },
      reader,
    ),
  "a subscriber's events": (id, reader) => {
    const event = eventWith(id);
    return listMessage(
      {
        environment: PRODUCTION,
        request: { ...listRequest(PRODUCTION, { subscriber: [id] }, NOON), end: NOON },
        events: [{ event, judgement: judge(event, NOON), at: 0 }],
        unreadable: 0,
        next: 50,
      },
      reader,
      seal,
    );
  },
  'a choice between ids': (id, reader) =>
    choiceMessage(
      [
        { environment: PRODUCTION, target: { kind: 'subscriber', id } },
        { environment: PRODUCTION, target: { kind: 'event', id: '65f000000000000000000001' } },
      ],
      { areMore: false, audience: audienceOf(reader), now: NOON, seal },
    ),
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
  const tally = events.reduce((sum, event) => addToTally(sum, event, judge(event, at(60))), emptyTally(id));
  return {
    found: 'transaction',
    environment: PRODUCTION,
    tally,
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
        expect(reveals(allOf(flow(contact.id, CHANNEL)), contact)).toBe(false);
      }),
      RUNS,
    );
  });

  test('shows them to the person who asked', () => {
    fc.assert(
      fc.property(aContact(), (contact) => {
        expect(reveals(wordsOf(flow(contact.id, REQUESTER)).normalize('NFKC'), contact)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('messages for channels only:', () => {
  const foundRow = (tallies: CauseTallies) =>
    causeRow(
      tallies,
      { summary: emptySummary(), read: { from: NOON, to: NOON } },
      { explainCause, incidents: new Map(), reader: REQUESTER },
    );
  const tallyWith = (id: string) =>
    aTally({
      kind: { workflow: id, workflowName: id },
      example: { eventId: '65f000000000000000000001', transactionId: id, subscriberId: id },
    });
  const withoutId = (id: string) => aTally({ example: { eventId: null, transactionId: id, subscriberId: id } });
  const LINES: Readonly<Record<string, (id: string) => unknown>> = {
    'a digest': (id) =>
      digestMessage(aDigest({ rows: [aRow({ tally: tallyWith(id) })] }), {
        environment: PRODUCTION,
        possibleRepeat: false,
        explainCause,
        isNew: true,
      }),
    'a cause of one workflow': (id) => foundRow([tallyWith(id)]),
    'a cause of several workflows': (id) => foundRow([tallyWith(id), tallyWith(id)]),
    'a tally whose event has no id': (id) => [
      ...foundRow([withoutId(id)]),
      incidentRow(anIncident({ tally: withoutId(id) }), {
        messageId: 'digest-1',
        beside: null,
        cause: null,
        namesPeople: true,
        isTerse: false,
      }),
    ],
    'a shared filter': (id) =>
      `${filterWords(
        filterBy(() => [id]),
        'everyone',
      )}`,
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

test('the button of a message list finds a subscriber whose ID is a contact', () => {
  const list = FLOWS["a subscriber's events"];
  if (list === undefined) throw new Error('there is no such flow');
  const value = buttonValue(list('anna@example.com', CHANNEL), LIST) ?? '';
  expect(parseList(value, seal)?.filter).toEqual({ subscriber: ['anna@example.com'] });
});
