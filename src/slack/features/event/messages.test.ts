import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../lib/errors.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import { FreeText } from '../../../lib/text/scrub.ts';
import { ALL_MESSAGES, type FoundMessages } from '../../../lookups/lists.ts';
import { at } from '../../../service/event.testing.ts';
import { aMessage } from '../../../service/message.testing.ts';
import type { Message } from '../../../service/message.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { buttonsOf, buttonValue, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import {
  type MessagesRequest,
  MORE,
  messagesMessage,
  parseMessagesRequest,
  parseRequest,
  writeRequest,
} from './messages.ts';

function found(items: readonly Message[], change: Partial<FoundMessages> = {}): FoundMessages {
  return {
    found: 'messages',
    environment: PRODUCTION,
    filter: ALL_MESSAGES,
    offset: 0,
    items,
    unreadable: 0,
    totalCount: items.length,
    next: null,
    ...change,
  };
}

const A_REFUSED_EMAIL = aMessage({
  channel: 'email',
  provider: 'sendgrid',
  status: 'error',
  errorId: 'unexpected_provider_error',
  errorText: new FreeText('{"message":"Mailbox full","code":552}'),
  seen: false,
  subject: new FreeText('Your order'),
  contextKeys: ['tenant:acme'],
});

describe('a list of messages', () => {
  test("shows each message's transaction, outcome, time, subscriber and delivery, and looks up its event", () => {
    const message = messagesMessage(found([A_REFUSED_EMAIL]));
    expect(wordsOf(message).split('\n')).toEqual([
      'production · 1 message',
      'Transaction | Outcome | When | Workflow | Subscriber | Delivery',
      'txn_0001 | 🔴 Email · SendGrid: Mailbox full (552) | 2026-03-04 12:00 UTC | order-shipped | user-1 | to a•••@example.com',
      'Look up …',
      '🔴 txn_0001',
      'Share',
    ]);
    expectFit(message);
  });

  test('shortens a long reason, and gives the code if there is none', () => {
    const long = aMessage({ status: 'error', errorText: new FreeText('The mailbox is full. '.repeat(9)) });
    expect(wordsOf(messagesMessage(found([long])))).toMatch(/: The mailbox is full.{20,40}… \|/);
    const coded = aMessage({ status: 'error', errorId: 'no_integration', errorText: null });
    expect(wordsOf(messagesMessage(found([coded])))).toContain(': no_integration |');
  });

  test("has no column for the subscriber that it's about, unless deleted", () => {
    const ofOne = (change: Partial<Message>) =>
      wordsOf(messagesMessage(found([aMessage(change)], { filter: { ...ALL_MESSAGES, subscriberId: 'user-1' } })));
    expect(ofOne({})).toContain('Transaction | Outcome | When | Workflow | Delivery');
    expect(ofOne({ isSubscriberDeleted: true })).toContain('user-1 (deleted)');
  });

  test('shows each delivery, and what the recipient did', () => {
    const message = aMessage({
      deliveredAt: [at(1), at(86_400)],
      read: true,
      lastReadAt: at(40),
      maskedEmail: null,
      isSubscriberDeleted: true,
    });
    const words = wordsOf(messagesMessage(found([message])));
    expect(words).toContain('delivered 12:00:01 UTC, 2026-03-05 12:00 UTC · seen 12:00:30 UTC · read 12:00:40 UTC');
    expect(words).toContain('user-1 (deleted)');
    expect(wordsOf(messagesMessage(found([aMessage({ seen: false })])))).toContain('not seen yet');
  });

  test('says its filters, how many there are, and how many are unreadable', () => {
    const filter = { channel: 'in_app', subscriberId: 'user-1', transactionIds: ['t-1', 't-2'], contextKeys: ['a:1'] };
    const change = { filter, offset: 100, totalCount: 4_812, next: 200, unreadable: 3 };
    const message = messagesMessage(found([aMessage()], change));
    expect(wordsOf(message)).toContain('production · 101–101 of 4,812 messages');
    expect(wordsOf(message)).toContain(
      'Only channel in-app, subscriber user-1, transaction t-1 or t-2, exactly the contexts a:1',
    );
    expect(wordsOf(message)).toContain('3 unreadable');
    expect(parseRequest(buttonValue(message, MORE) ?? '')).toEqual({ environment: 'production', filter, offset: 200 });
    expect(wordsOf(messagesMessage(found([aMessage()], { totalCount: null, next: 100 })))).toContain(
      'production · 1 messages; there are more',
    );
  });

  test.each([
    [0, 'production · no messages'],
    [200, 'production · no more messages'],
  ])('is empty from offset %i', (offset, words) => {
    const message = messagesMessage(found([], { offset, totalCount: 0 }));
    expect(wordsOf(message)).toBe(words);
  });

  test("is shared without the messages' texts, and without buttons for one person", () => {
    const message = forEveryone(messagesMessage(found([A_REFUSED_EMAIL], { next: 100, totalCount: 120 })), 'U0ANN');
    expect(wordsOf(message)).toContain('Shared by <@U0ANN>');
    expect(wordsOf(message)).not.toContain('Your order');
    expect(buttonsOf(message)).toEqual([]);
  });

  test("loads more from what doesn't fit on", () => {
    const long = HOSTILE.repeat(30);
    const hostile = aMessage({
      channel: long,
      provider: long,
      status: long,
      workflow: long,
      subscriberId: long,
      transactionId: long,
      errorId: long,
      errorText: new FreeText(long),
      deliveredAt: Array.from({ length: 40 }, (_, n) => at(n)),
    });
    const message = messagesMessage(found(Array.from({ length: 100 }, () => hostile)));
    expectFit(message);
    const [, last] = /(\d+) of 100 messages/.exec(wordsOf(message)) ?? [];
    expect(parseRequest(buttonValue(message, MORE) ?? '')?.offset).toBe(Number(last));
  });
});

test('an unknown subscriber comes with an explanation of IDs', () => {
  const filter = { ...ALL_MESSAGES, subscriberId: 'user-77' };
  const message = messagesMessage({ found: 'no-subscriber', environment: PRODUCTION, filter });
  expect(message.text).toContain('*production* knows no subscriber `user-77`. Use the ID that triggers use.');
  expectFit(message);
});

describe('the request for messages', () => {
  const read = (text: string) =>
    parseMessagesRequest({ ...parseCommandText(text), environment: PRODUCTION, timeZone: 'UTC' });

  test('is all messages, or those that match the filters', () => {
    expect(read('')).toEqual({ environment: 'production', filter: ALL_MESSAGES, offset: 0 });
    expect(read('channel:In-App subscriber:user-1 tx:a,b context:tenant:acme').filter).toEqual({
      channel: 'in_app',
      subscriberId: 'user-1',
      transactionIds: ['a', 'b'],
      contextKeys: ['tenant:acme'],
    });
  });

  test.each([
    ['channel:emial', 'There is no channel emial. Did you mean email?', 'channel:email'],
    ['channel:email,sms', 'channel: takes one value here.', 'channel:email'],
    ['subscriber:a subscriber:b', 'subscriber: takes one value here.', 'subscriber:a'],
    ['subscriber:a•••@example.com', 'This ID is masked', '/notif event txn_8f2c91'],
    ['context:acme', 'A context is named type:id, and acme is not.', 'context:tenant:acme'],
    [
      `tx:${Array.from({ length: 99 }, (_, n) => `transaction-${n}-of-many`)}`,
      'Too many filter values',
      '/notif messages tx:',
    ],
  ])('is refused with an example: %s', (text, what, example) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message: expect.stringContaining(what) }));
    try {
      read(text);
    } catch (error) {
      expect(error instanceof InputError && error.example).toContain(example);
    }
  });

  test('survives a round trip through a button', () => {
    const name = fc.string({ maxLength: 30 });
    const names = fc.array(name, { maxLength: 4 });
    const filter = fc.record({
      channel: fc.option(fc.string({ minLength: 1 })),
      subscriberId: fc.option(fc.string({ minLength: 1 })),
      transactionIds: names,
      contextKeys: names,
    });
    fc.assert(
      fc.property(name, filter, fc.nat(), (environment, asked, offset) => {
        const request: MessagesRequest = { environment, filter: asked, offset: offset % 1_000_000_000 };
        expect(parseRequest(writeRequest(request))).toEqual(request);
      }),
    );
  });

  test.each(['', 'v0|production|0||', 'v1|production', 'v1|production|-1||', 'v1|production|0|||odd', '{"v":1}'])(
    'is null for %j',
    (value) => {
      expect(parseRequest(value)).toBeNull();
    },
  );
});
