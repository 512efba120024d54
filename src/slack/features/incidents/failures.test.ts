import { describe, expect, test } from 'vitest';
import {
  anIncident,
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  PRODUCTION,
  wordsOf,
} from '../../slack.testing.ts';
import { incidentFailuresMessage, MORE_FAILURES, parseFailures } from './failures.ts';

const environments = [{ ...PRODUCTION, label: 'Live' }];

describe("a row's failures", () => {
  const failures = (count: number, id = 'txn_8f2c') =>
    Array.from({ length: count }, (_, n) => ({
      eventId: `65f00000000000000000${n + 1_000}`,
      transactionId: id,
      subscriberId: id,
      occurredAt: at(12),
    }));
  const request = { incidentId: 12, upTo: 900, offset: 0 };

  test('are listed, each with a choice that looks up its event', () => {
    const message = incidentFailuresMessage(request, anIncident(), failures(48), environments);
    expect(wordsOf(message)).toMatch(/^48 failures · .* \(401\) · Live · #1$/m);
    expect(wordsOf(message)).toContain('txn_8f2c | txn_8f2c | 2026-03-04 12:00 UTC');
    expect(JSON.stringify(message.blocks)).toContain(
      String.raw`v1|event \"65f000000000000000001000\" env:\"production\"`,
    );
    expect(buttonsOf(message)).toEqual(['View affected', 'Chart']);
    expectFit(message);
  });

  test('go on after the last one that fit, whatever their IDs', () => {
    const cause = { text: HOSTILE.repeat(9), key: 'k' };
    const message = incidentFailuresMessage(
      { ...request, offset: 100 },
      anIncident({ failures: 480, workflow: HOSTILE, cause }),
      failures(100, '&'.repeat(255)),
      environments,
    );
    expectFit(message);
    expect(wordsOf(message)).toMatch(/^101–\d+ of 480 failures · /);
    const shown = wordsOf(message).match(/&… \|/g)?.length ?? 0;
    expect(parseFailures(buttonValue(message, MORE_FAILURES) ?? '')).toEqual({ ...request, offset: 100 + shown / 2 });
  });

  test('have a button for more only while more are stored, however many were counted', () => {
    const counted = anIncident({ failures: 412 });
    const last = incidentFailuresMessage({ ...request, offset: 100 }, counted, failures(50), environments);
    expect(buttonsOf(last)).not.toContain('Load more');
    const full = incidentFailuresMessage(request, counted, failures(101), environments);
    expect(wordsOf(full)).toMatch(/\d+ of 412 failures/);
    expect(buttonsOf(full)).toContain('Load more');
    const relapsed = anIncident({ failures: 6, relapses: 1 });
    const some = incidentFailuresMessage(request, relapsed, failures(101), environments);
    expect(wordsOf(some)).toMatch(/\d+ failures; there are more · /);
    const none = incidentFailuresMessage(request, counted, [], environments);
    expect(wordsOf(none)).toContain('no failures stored any longer');
    expect(buttonsOf(none)).not.toContain('Load more');
  });

  test('have no button of another version', () => {
    for (const value of ['', 'v1|a|1|2', 'v1|x||0', 'v1|1|-1|0']) expect(parseFailures(value)).toBeNull();
  });
});
