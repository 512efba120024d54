import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../../../lib/input/filters.ts';
import { FreeText } from '../../../lib/text/scrub.ts';
import type { ListedMessage } from '../../../lookups/messages.ts';
import { aSubscriber, at } from '../../../service/event.testing.ts';
import { aMessage } from '../../../service/lists.testing.ts';
import type { Page } from '../../../service/query.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import type { CommandLine } from '../../router/command.ts';
import { aLine, buttonValue, expectFit, HOSTILE, wordsOf } from '../../slack.testing.ts';
import { messageQuery, messagesMessage } from './messages.ts';

function listed(
  items: readonly ListedMessage[],
  change: Partial<Page<ListedMessage>> = {},
  line: Partial<CommandLine> = {},
) {
  const page = { items, unreadable: [], totalCount: items.length, hasMore: false, ...change };
  return messagesMessage(aLine(line), page, null);
}

describe('a list of messages', () => {
  test('shortens a long reason, and gives the code if there is none', () => {
    const long = aMessage({ status: 'error', errorText: new FreeText('The mailbox is full. '.repeat(9)) });
    expect(wordsOf(listed([long]))).toMatch(/: The mailbox is full.{20,40}… \|/);
    const coded = aMessage({ status: 'error', errorId: 'no_integration', errorText: null });
    expect(wordsOf(listed([coded]))).toContain(': no_integration |');
  });

  test('says what became of a message that was sent', () => {
    const aftermath = { verdict: 'bounced', cause: 'Mailbox full' } as const;
    expect(wordsOf(listed([{ ...aMessage({ channel: 'email', provider: 'sendgrid' }), aftermath }]))).toContain(
      '🟠 Email · SendGrid: bounced: Mailbox full |',
    );
  });

  test('shows each delivery, and what the recipient did', () => {
    const message = aMessage({
      deliveredAt: [at(1), at(86_400)],
      read: true,
      lastReadDate: at(40),
      maskedEmail: null,
      subscriber: aSubscriber('user-1', { isDeleted: true }),
    });
    const words = wordsOf(listed([message]));
    expect(words).toContain('delivered 2026-03-05 12:00 UTC · seen 12:00:30 UTC · read 12:00:40 UTC');
    expect(words).toContain('user-1 (deleted)');
    expect(wordsOf(listed([aMessage({ seen: false })]))).toContain('not seen yet');
  });

  test('says its filters, how many there are, and how many are unreadable, and goes on', () => {
    const filters = { channel: ['in-app'], subscriber: ['user-1'], tx: ['t-1', 't-2'], context: ['a:1'] };
    const unreadable = [{ key: 'x', createdAt: null }];
    const page = { offset: 100, cursor: '100' };
    const message = listed([aMessage()], { unreadable, totalCount: 4_812, hasMore: true }, { filters, page });
    expect(wordsOf(message)).toContain('production · 101–101 of 4,812 messages');
    expect(wordsOf(message)).toContain(
      'Channel in-app\nExactly the contexts a:1\nTransaction t-1 or t-2\nSubscriber user-1',
    );
    expect(wordsOf(message)).toContain('1 unreadable');
    expect(parseRun(buttonValue(message, RUN) ?? '')).toEqual({
      text: 'messages channel:"in-app" subscriber:"user-1" tx:"t-1","t-2" context:"a:1" env:"production"',
      page: { offset: 101, cursor: '200' },
    });
    const uncounted = listed([aMessage()], { totalCount: null, hasMore: true });
    expect(wordsOf(uncounted)).toContain('production · 1 messages; there are more');
  });

  test('may be empty', () => {
    expect(wordsOf(listed([]))).toBe('production · no messages');
    expect(wordsOf(listed([], {}, { page: { offset: 9, cursor: '200' } }))).toBe('production · no more messages');
  });

  test("loads more from what doesn't fit on", () => {
    const long = HOSTILE.repeat(30);
    const hostile = aMessage({
      channel: long,
      provider: long,
      status: long,
      workflow: long,
      subscriber: aSubscriber(long),
      transactionId: long,
      errorId: long,
      errorText: new FreeText(long),
      deliveredAt: Array.from({ length: 40 }, (_, n) => at(n)),
    });
    const message = listed(Array.from({ length: 100 }, () => hostile));
    expectFit(message);
    const [, last] = /(\d+) of 100 messages/.exec(wordsOf(message)) ?? [];
    expect(parseRun(buttonValue(message, RUN) ?? '')?.page?.cursor).toBe(last);
  });
});

test('what filters of messages say is asked of the service', () => {
  const filters = parseCommandText('channel:in-app subscriber:user-1 tx:t-1,t-2 context:app:shop,tenant:acme');
  expect(messageQuery(aLine(filters))).toEqual({
    channel: 'in_app',
    subscriberId: 'user-1',
    transactionIds: ['t-1', 't-2'],
    contextKeys: ['app:shop', 'tenant:acme'],
  });
});

test.each([
  ['channel:emial', 'There is no channel emial. Did you mean email?'],
  ['channel:email,sms', 'channel: takes one value here.'],
  ['subscriber:a•••@example.com', 'This ID is masked'],
  ['context:acme', 'A context is named type:id, and acme is not.'],
])('a filter that messages do not have is refused: %s', (text, what) => {
  expect(() => messageQuery(aLine(parseCommandText(text)))).toThrow(what);
});
