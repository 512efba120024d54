import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import {
  eventIdOrTransaction,
  eventIdsMeant,
  looksLikeId,
  recogniseIds,
  refuseLink,
  refusePhoneNumber,
} from './ids.ts';

const EVENT = '65f3a1b2c3d4e5f6a7b8c9d0';
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const LINK = `https://dashboard.example.com/env/64aaaaaaaaaaaaaaaaaaaaaa/activity/workflow-runs?activityItemId=${EVENT}`;
const event = { kind: 'event', id: EVENT };
const transaction = (id: string) => ({ kind: 'transaction', id });

describe('recogniseIds', () => {
  test.each([
    ['an event id', EVENT],
    ['a link', `see ${LINK}.`],
    ["Slack's link", `see <${LINK}|the dashboard>`],
    ['an encoded link', `https://login.example.com/?next=${encodeURIComponent(LINK)}`],
    ['code', `\`${EVENT}\``],
    ['a label', `event: ${EVENT}, eventId:${EVENT}`],
    ['JSON', `{"id":"${EVENT}"}`],
  ])('finds an event ID in %s', (_, text) => {
    expect(recogniseIds(text)).toEqual([event]);
  });

  test.each([EVENT.toUpperCase(), 'C5F3A1B2C3D4E5F6A7B8C9D0', 'B0F3A1B2C3D4E5F6A7B8C9D0'])(
    'finds %s, and keeps its capitals: a transaction ID has a case',
    (id) => {
      expect(recogniseIds(`Why did ${id} not arrive?`)).toEqual([{ kind: 'event', id }]);
      expect(recogniseIds(`see ${LINK.replace(EVENT, id)}`)).toEqual([{ kind: 'event', id }]);
      expect(looksLikeId(id)).toEqual({ kind: 'event', id });
      expect(eventIdOrTransaction(id)).toEqual({ kind: 'event', id });
    },
  );

  test.each([
    ['txn:2024/9', (id: string) => `?foo=1&amp;transactionId=${encodeURIComponent(id)}|here`],
    ['txn_8f2c91', (id: string) => `?transactionId=${id}. Next`],
    ['a+b/c=', (id: string) => `?next=${encodeURIComponent(`/x?transactionId=${encodeURIComponent(id)}&tab=2`)}`],
  ])('finds the whole transaction %s in a link', (id, link) => {
    expect(recogniseIds(`see <https://dashboard.example.com/activity${link(id)}>`)).toEqual([transaction(id)]);
  });

  test.each([`?transactionId=txn_8f2c91&activityItemId=${EVENT}`, `?TransactionID=txn_8f2c91&ActivityItemID=${EVENT}`])(
    'finds the event in the link %s, which also has its transaction',
    (query) => {
      expect(recogniseIds(`https://dashboard.example.com/activity${query}`)).toEqual([event]);
    },
  );

  test.each(['txn_8f2c91', 'order-2024-000123', UUID, '01ARZ3NDEKTSV4RRFFQ69G5FAV'])(
    'finds the transaction %s',
    (id) => {
      expect(recogniseIds(`Why did (*${id}*) not arrive?`)).toEqual([transaction(id)]);
      expect(recogniseIds(`${id}: nothing. tx=${id}`)).toEqual([transaction(id)]);
    },
  );

  test.each([
    'an ordinary sentence with 3 words of 123456 digits',
    '[FIRING:1] something, [FIRING:12, RESOLVED:3]',
    'v1.22.333, 10.20.30.40:8080, 1234.56, 12,345.67 €, 12000ms',
    'anna.1984@example.com or <mailto:anna.1984@example.com|anna.1984@example.com>',
    'https://example.com/env/65f3a1b2c3d4e5f6a7b8c9d0/activity node-1.example.com app.ts:12:5',
    ':flag-de2: 555-123-4567',
    '<tel:4917012345678|0170 12345678> 20261121T163224Z 20251009T0853',
    '<slack://app?team=T0123ABCD&id=A0123ABCD|open> B0123ABCD F07ABCDE123 E0123ABCD W0123ABCDE',
    'https://shop.example.com/?order=8f2c91ab',
    'us-east-1, eu-west-1a, us-gov-west-1, europe-west3-b: TLSv1.2, base64, OAuth2, SHA-256, UTF-16, HTTP2.0',
  ])('finds none in %j', (text) => {
    expect(recogniseIds(text)).toEqual([]);
  });

  test.each(['\u200btxn_8f2c91', '\u2068txn_8f2c91\u2069', 'txn_8f\u00ad2c91', 'id：txn_8f2c91、'])(
    'finds the transaction in %j, without invisible characters and fullwidth punctuation',
    (text) => {
      expect(recogniseIds(text)).toEqual([transaction('txn_8f2c91')]);
      expect(recogniseIds(`Why did ${text} fail?`)).toEqual([transaction('txn_8f2c91')]);
    },
  );

  test.each([`\u200e${EVENT}`, `\ufeff${LINK}\u200b`])('finds the event in %j', (text) => {
    expect(recogniseIds(text)).toEqual([event]);
  });

  test('keeps their order, each once, up to the limit', () => {
    const text = `txn_1aaa ${EVENT} txn_2bbb txn_1aaa ${LINK} txn_3ccc`;
    expect(recogniseIds(text)).toEqual([
      transaction('txn_1aaa'),
      event,
      transaction('txn_2bbb'),
      transaction('txn_3ccc'),
    ]);
    expect(recogniseIds(text, { limit: 2 })).toEqual([transaction('txn_1aaa'), event]);
    expect(recogniseIds(text, { limit: 0 })).toEqual([]);
  });

  test('accepts any text, and finds an ID between any others', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const found = recogniseIds(`${before} \`${UUID}\` ${after}`, { limit: 100 });
        expect(found).toContainEqual(transaction(UUID));
      }),
    );
  });
});

describe('looksLikeId', () => {
  test.each([
    [EVENT, event],
    [`<${LINK}|x>`, event],
    ['123456', transaction('123456')],
    ['`txn_8f2c91`', transaction('txn_8f2c91')],
    ['_txn_8f2c91_', transaction('txn_8f2c91')],
  ])('recognizes %s', (word, target) => {
    expect(looksLikeId(word)).toEqual(target);
  });

  test.each(['', 'failures', '12345', 'https://example.com', "it's-2024", '('.repeat(1_000) + UUID])(
    'rejects %j',
    (word) => {
      expect(looksLikeId(word)).toBeNull();
    },
  );
});

describe('eventIdOrTransaction', () => {
  test.each([
    [EVENT, event],
    [` \`${EVENT}\` `, event],
    ['failurs', transaction('failurs')],
    ['`txn_8f2c91`,', transaction('txn_8f2c91')],
    ['\u200btxn_8f2c91;', transaction('txn_8f2c91')],
    ['+491701234567', transaction('+491701234567')],
    ['{transactionId:txn_8f2c91}', transaction('txn_8f2c91')],
    ['2026-11-22T06:44:30Z ERROR send failed tx=txn_8f2c91 code=401', transaction('txn_8f2c91')],
    [`event ${EVENT} of txn`, event],
    [`${EVENT}?`, event],
    [`ObjectId(${EVENT})`, event],
    [`eventId:${EVENT}`, event],
    [`order_${EVENT}`, transaction(`order_${EVENT}`)],
    ['transactionId:order', transaction('order')],
    ['order(8f2c91ab)', transaction('order(8f2c91ab)')],
    ['\u200bholi\u00adday', transaction('holiday')],
    ['x'.repeat(200), transaction('x'.repeat(200))],
  ])('accepts %s as typed', (text, target) => {
    expect(eventIdOrTransaction(text)).toEqual(target);
  });

  test('names the first of several as the example', () => {
    const typed = () => eventIdOrTransaction('txn_8f2c91 or txn_8f2c92');
    expect(typed).toThrow(
      expect.objectContaining({
        field: 'event',
        message: expect.stringContaining('2 IDs'),
        example: '/notif event txn_8f2c91',
      }),
    );
  });

  test.each(['+49 170 1234567', '+49-170-1234567', '(030) 901-820', '+1 (555) 123-4567'])(
    'says of the phone number %s what to look up instead',
    (typed) => {
      const refusal = expect.objectContaining({
        field: 'event',
        message: expect.stringMatching(/by phone number.*subscriber/),
        example: '/notif user-0042',
      });
      expect(() => eventIdOrTransaction(typed)).toThrow(refusal);
      expect(() => refusePhoneNumber(typed)).toThrow(refusal);
    },
  );

  test.each(['https://acme.slack.com/archives/C0ONCALL/p1'])('says of the link %j that it names no event', (typed) => {
    expect(() => eventIdOrTransaction(typed)).toThrow(
      expect.objectContaining({
        field: 'event',
        message: expect.stringContaining('This link names no event or transaction'),
        example: '/notif event txn_8f2c91',
      }),
    );
  });

  test.each(['', '  ', '""', 'two words', 'x'.repeat(201)])('refuses %j with an example', (text) => {
    expect(() => eventIdOrTransaction(text)).toThrow(InputError);
    expect(() => eventIdOrTransaction(text)).toThrow(
      expect.objectContaining({ field: 'event', example: expect.stringContaining('/notif event') }),
    );
  });
});

describe('refuseLink', () => {
  test.each([LINK, EVENT, 'order:https://shop.example.com/7'])('accepts %s', (typed) => {
    expect(() => refuseLink(typed)).not.toThrow();
  });
});

describe('eventIdsMeant', () => {
  test('returns an ID with capitals as written, then in small letters', () => {
    expect(eventIdsMeant(EVENT.toUpperCase())).toEqual([EVENT.toUpperCase(), EVENT]);
  });

  test('returns an ID without capitals once', () => {
    expect(eventIdsMeant(EVENT)).toEqual([EVENT]);
  });
});
