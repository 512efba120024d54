import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InCommon } from '../../domain/incidents/incident-actions.ts';
import { aRow, aTally, at, buttonsOf, buttonValue, expectFit, HOSTILE, NOON, wordsOf } from '../slack.testing.ts';
import { affectedMessage } from './affected-message.ts';
import { eventsMessage, MORE_EVENTS, parseEvents, writeEvents } from './events-message.ts';

const TARGET = { messageId: '7c7cbeb2-6e4b-4f2d-8f0f-3f5d5a3b9f11', episodeId: 12 };

describe("a row's failures", () => {
  const failures = (count: number, id = 'txn_8f2c') =>
    Array.from({ length: count }, (_, n) => ({
      eventId: `65f00000000000000000${n + 1_000}`,
      transactionId: id,
      subscriberId: id,
      occurredAt: at(12),
    }));
  const request = { ...TARGET, upTo: 900, offset: 0 };

  test('are listed, each with a choice that looks up its event', () => {
    const message = eventsMessage(request, aRow(), failures(48));
    expect(wordsOf(message)).toContain('Email · SendGrid — order-shipped · production · #1 · 48 failures');
    expect(wordsOf(message)).toContain('txn_8f2c | txn_8f2c | 2026-03-04 12:00 UTC');
    expect(JSON.stringify(message.blocks)).toContain('v1|production|event|65f000000000000000001000');
    expect(buttonsOf(message)).toEqual(['View affected', 'Chart']);
    expectFit(message);
  });

  test('go on after the last one that fit, whatever their IDs', () => {
    const tally = aTally({ failures: 480, group: { workflow: HOSTILE, cause: { text: HOSTILE.repeat(9), key: 'k' } } });
    const message = eventsMessage({ ...request, offset: 100 }, aRow({ tally }), failures(100, '&'.repeat(255)));
    expectFit(message);
    const shown = wordsOf(message).match(/&… \|/g)?.length ?? 0;
    expect(parseEvents(buttonValue(message, MORE_EVENTS) ?? '')).toEqual({ ...request, offset: 100 + shown / 2 });
  });

  test('may be no longer kept', () => {
    expect(wordsOf(eventsMessage({ ...request, offset: 100 }, aRow(), []))).toContain('no longer kept.');
  });

  test('are encoded in their button', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat()), fc.nat(1e8), (episodeId, upTo, offset) => {
        const named = { ...TARGET, episodeId, upTo, offset };
        expect(parseEvents(writeEvents(named))).toEqual(named);
      }),
    );
    for (const value of ['', 'v1|a|1|2', 'v1|a|x||0', 'v1|a|1|-1|0', 'v1|a|1||0|more']) {
      expect(parseEvents(value)).toBeNull();
    }
  });
});

describe("a row's affected subscribers", () => {
  const hit = (count: number, subscriberId = 'user-0042') =>
    Array.from({ length: count }, () => ({ subscriberId, failures: 3, firstSeen: NOON, lastSeen: at(60) }));
  const common = (changes: Partial<InCommon> = {}): InCommon => ({
    failures: 48,
    values: [
      { kind: 'context', value: 'tenant:acme', failures: 46, ofValues: 2 },
      { kind: 'severity', value: 'high', failures: 48, ofValues: 1 },
    ],
    ...changes,
  });

  test('are listed with what their failures have in common, and a file of all', () => {
    const message = affectedMessage(TARGET, aRow(), hit(40), common());
    expect(wordsOf(message)).toContain('#1 · 40 of 47 subscribers');
    expect(wordsOf(message)).toContain('user-0042 | 3 | 2026-03-04 12:00 UTC | 2026-03-04 12:01 UTC');
    expect(wordsOf(message)).toContain('In common (last 48 failures): severity high 100%, context tenant:acme 96%');
    expect(buttonsOf(message)).toEqual(['Download CSV']);
    expectFit(message);
  });

  test('may be no longer kept, or unknown', () => {
    const none = common({ values: [] });
    expect(wordsOf(affectedMessage(TARGET, aRow(), [], none))).toContain('these subscribers are no longer kept.');
    const unnamed = aRow({ tally: aTally({ failures: 2, subscribers: 0 }) });
    expect(wordsOf(affectedMessage(TARGET, unnamed, [], none))).toContain('2 failures name no subscriber.');
  });

  test('fit whatever their IDs and values', () => {
    const values = Array.from(
      { length: 15 },
      () => ({ kind: 'tag', value: HOSTILE.repeat(20), failures: 46, ofValues: 900 }) as const,
    );
    expectFit(affectedMessage(TARGET, aRow(), hit(100, HOSTILE.repeat(9)), common({ values })));
  });
});
