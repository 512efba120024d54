import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InCommon } from '../../domain/incidents/incident-actions.ts';
import { aRow, aTally, at, buttonsOf, buttonValue, expectFit, HOSTILE, NOON, wordsOf } from '../slack.testing.ts';
import { affectedMessage, parseAffectedPage, writeAffectedPage } from './affected-message.ts';
import { eventsMessage, NEXT_EVENTS, parseEventsPage, writeEventsPage } from './events-message.ts';

const TARGET = { messageId: '7c7cbeb2-6e4b-4f2d-8f0f-3f5d5a3b9f11', episodeId: 12 };

describe("a row's failures", () => {
  const failures = (count: number, id = 'txn_8f2c') =>
    Array.from({ length: count }, () => ({
      eventId: null,
      transactionId: id,
      subscriberId: id,
      occurredAt: at(12),
    }));
  const page = { ...TARGET, upTo: 900, offset: 10 };

  test('are listed ten per page, each with a button for its event', () => {
    const message = eventsMessage(page, aRow(), failures(10));
    expect(wordsOf(message)).toContain(
      'Email · SendGrid — order-shipped · production · #1\nFailed: The provided authorization grant is invalid (401)\nFailures 11–20 of 48, the newest first',
    );
    expect(wordsOf(message)).toContain('12:00:12 UTC · txn_8f2c for txn_8f2c\nLook up');
    expect(buttonsOf(message).slice(-4)).toEqual(['Previous failures', 'Next failures', 'View affected', 'Chart']);
    expectFit(message);
  });

  test('lead back from a page that is no longer kept', () => {
    const beyond = eventsMessage(page, aRow(), []);
    expect(wordsOf(beyond)).toContain('#1: these failures are no longer kept.');
    expect(buttonsOf(beyond)).toEqual(['Previous failures']);
  });

  test('end with the last page', () => {
    expect(buttonsOf(eventsMessage({ ...page, offset: 40 }, aRow(), failures(8))).slice(-3)).toEqual([
      'Previous failures',
      'View affected',
      'Chart',
    ]);
    expect(buttonsOf(eventsMessage({ ...page, offset: 0 }, aRow(), failures(8)))).not.toContain('Previous failures');
  });

  test('lead on from the last one shown, whatever their IDs', () => {
    const message = eventsMessage(page, aRow(), failures(10, '%'.repeat(255)));
    expectFit(message);
    const shown = wordsOf(message).match(/^Look up$/gm)?.length ?? 0;
    expect(wordsOf(message)).toContain(`Failures 11–${10 + shown} of 48`);
    expect(parseEventsPage(buttonValue(message, NEXT_EVENTS) ?? '')).toEqual({ ...page, offset: 10 + shown });
  });

  test('fit whatever their texts', () => {
    const tally = aTally({ group: { workflow: HOSTILE, cause: { text: HOSTILE.repeat(9), key: 'k' } } });
    expectFit(eventsMessage(page, aRow({ tally }), failures(10, '&'.repeat(255))));
  });

  test('are encoded in their button', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat()), fc.nat(1e8), (episodeId, upTo, offset) => {
        const named = { ...TARGET, episodeId, upTo, offset };
        expect(parseEventsPage(writeEventsPage(named))).toEqual(named);
      }),
    );
    for (const value of ['', 'v1|a|1|2', 'v1|a|x||0', 'v1|a|1|-1|0', 'v1|a|1||0|more']) {
      expect(parseEventsPage(value)).toBeNull();
    }
  });
});

describe("a row's affected subscribers", () => {
  const hit = (count: number, subscriberId = 'user-0042', failures = 3) =>
    Array.from({ length: count }, () => ({ subscriberId, failures, firstSeen: NOON, lastSeen: at(60) }));

  test('are listed twenty per page, with a file of all', () => {
    const message = affectedMessage({ ...TARGET, offset: 0 }, aRow(), hit(20), null);
    expect(wordsOf(message)).toContain('Subscribers 1–20 of 47, by their IDs');
    expect(wordsOf(message)).toContain('user-0042 · 3 failures, 12:00:00 UTC – 12:01:00 UTC');
    expect(buttonsOf(message)).toEqual(['Next subscribers', 'Download CSV']);
    expectFit(message);
  });

  test('have only one time if there was only one failure', () => {
    expect(wordsOf(affectedMessage({ ...TARGET, offset: 40 }, aRow(), hit(7, 'user-1', 1), null))).toContain(
      'user-1 · 12:00:00 UTC',
    );
  });

  const common = (changes: Partial<InCommon> = {}): InCommon => ({
    failures: 48,
    values: [
      { kind: 'context', value: 'tenant:acme', failures: 46, ofValues: 2 },
      { kind: 'context', value: 'tenant:globex', failures: 2, ofValues: 2 },
      { kind: 'severity', value: 'high', failures: 48, ofValues: 1 },
    ],
    ...changes,
  });

  test('begin with a table of what the failures have in common', () => {
    const message = affectedMessage({ ...TARGET, offset: 0 }, aRow(), hit(20), common());
    expect(wordsOf(message)).toContain('Below: what they have in common');
    const table = [
      'What\nValue\nFailures\nShare',
      'context (2)\ntenant:acme\n46\n96%',
      '–\ntenant:globex\n2\n4.2%',
      'severity\nhigh\n48\n100%',
    ];
    expect(wordsOf(message)).toContain(table.join('\n'));
    expectFit(message);
    expect(wordsOf(affectedMessage({ ...TARGET, offset: 0 }, aRow(), hit(20), common({ failures: 40 })))).toContain(
      'Below: what the last 40 failures have in common',
    );
  });

  test('lead back from a page that is no longer kept, and are not denied', () => {
    const beyond = affectedMessage({ ...TARGET, offset: 20 }, aRow(), [], null);
    expect(wordsOf(beyond)).toContain(
      'Email · SendGrid — order-shipped · production · #1: these subscribers are no longer kept.',
    );
    expect(buttonsOf(beyond)).toEqual(['Previous subscribers']);
    const first = affectedMessage({ ...TARGET, offset: 0 }, aRow(), [], common({ values: [] }));
    expect(wordsOf(first)).toContain('these subscribers are no longer kept.');
    expect(buttonsOf(first)).toEqual([]);
  });

  test('have the table even if no subscriber is named, and fit with any values', () => {
    const values = Array.from(
      { length: 15 },
      () => ({ kind: 'tag', value: HOSTILE.repeat(20), failures: 46, ofValues: 900 }) as const,
    );
    const unnamed = aRow({ tally: aTally({ subscribers: 0 }) });
    const message = affectedMessage({ ...TARGET, offset: 0 }, unnamed, [], common({ values }));
    expect(wordsOf(message)).toContain('name no subscriber');
    expect(wordsOf(message)).toContain('96%');
    expectFit(message);
    expectFit(affectedMessage({ ...TARGET, offset: 0 }, aRow(), hit(20, '&'.repeat(255)), common({ values })));
  });

  test('may be unknown: the answer says that no failure names one', () => {
    const words = (failures: number) =>
      wordsOf(
        affectedMessage({ ...TARGET, offset: 0 }, aRow({ tally: aTally({ failures, subscribers: 0 }) }), [], null),
      );
    expect(words(1)).toContain(': its failure names no subscriber.');
    expect(words(2)).toContain(': its 2 failures name no subscriber.');
  });

  test('fit whatever their IDs', () => {
    expectFit(affectedMessage({ ...TARGET, offset: 20 }, aRow(), hit(20, '&'.repeat(255)), null));
    expectFit(affectedMessage({ ...TARGET, offset: 20 }, aRow(), hit(20, HOSTILE), null));
  });

  test('are encoded in their button', () => {
    const page = { ...TARGET, offset: 40 };
    expect(parseAffectedPage(writeAffectedPage(page))).toEqual(page);
    for (const value of ['', 'v1|a|1', 'v1|a|x|0', 'v1|a|1|-1']) expect(parseAffectedPage(value)).toBeNull();
  });
});
