import { describe, expect, test } from 'vitest';
import type { Gap } from '../../../coverage/gap.ts';
import type { IncidentNow, Outage } from '../../../incidents/incident.ts';
import { aRow, at, buttonsOf, NOON } from '../../slack.testing.ts';
import { messageOf, rowLines } from './digest-message.testing.ts';

const gap: Gap = {
  id: 'gap-1',
  environment: 'production',
  cause: 'unreachable',
  beginsAt: NOON,
  endsAt: at(2_100),
  openedAt: at(60),
  closedAt: at(2_400),
  toRead: [],
  givenUp: [],
  events: 3_400,
  failures: 3,
};
/** An incident of a service that can't be read. */
const outage = (change: Partial<Outage> = {}, incident: Partial<IncidentNow> = {}): Partial<IncidentNow> => ({
  kind: 'unreadable',
  outage: { problem: { kind: 'unreachable' }, uncheckedSince: NOON, gap: null, ...change },
  channel: '',
  provider: null,
  headline: 'there was no connection to it',
  attempts: null,
  workflows: [],
  failures: 1,
  failuresInAll: 1,
  subscribers: 0,
  critical: true,
  example: { eventId: null, transactionId: '', subscriberId: null },
  cause: { key: 'unreachable', text: 'there was no connection to it' },
  ...incident,
});

describe('An alert', () => {
  test('of a service that can’t be read says why, since when nothing is checked and what to do, without a variable', () => {
    expect(rowLines(outage()).slice(0, 4)).toEqual([
      "🔴 Production · Service doesn't answer",
      'there was no connection to it',
      'nothing checked since 12:00 UTC, and probably nothing sent · #1',
      "→ Check that the service runs, the network and the address. Missed failures will be reported once it's back.",
    ]);
    const cause = { key: 'key-refused', text: 'the API key was refused (401)' };
    const refused = { cause, headline: 'the API key was refused', outbreak: 2 };
    expect(rowLines(outage({ problem: { kind: 'key-refused', status: 401 } }, refused)).slice(0, 4)).toEqual([
      "🔴 Production · Events can't be checked again",
      'the API key was refused (401)',
      'nothing checked since 12:00 UTC · #1',
      "→ Check the API key and its permissions. Missed failures will be reported once it's back.",
    ]);
    const limited = rowLines(outage({ problem: { kind: 'rate-limited', retryAfterMs: 1 } }));
    expect(limited[3]).toMatch('→ Raise the poll interval or get a larger plan.');
    expect(buttonsOf(messageOf({ rows: [aRow(outage())] }))).toEqual(['Acknowledge', 'Assign…']);
  });

  const part = { from: at(600), to: at(2_100) };
  test.for<[string, Partial<Gap>]>([
    ['caught up since · 3,400 events checked, 3 failures found', {}],
    ['caught up since · ⚠️ not one event was created in it, which is unusual', { events: 0 }],
    ['caught up since · not one event was created in it', { events: 0, endsAt: at(1_740) }],
    ['⏳ catching up · still to be checked: 2026-03-04 12:10 UTC – 12:35 UTC', { closedAt: null, toRead: [part] }],
    [
      '⚠️ lost: 2026-03-04 12:10 UTC – 12:35 UTC, failures in it were never reported · the rest: 3,400 events checked, 3 failures found',
      { givenUp: [part] },
    ],
  ])('of a service that is read again says %s', ([words, change]) => {
    const state = { is: 'recovering', since: at(2_100) } as const;
    const lines = rowLines(outage({ problem: null, gap: { ...gap, ...change } }, { state, asOf: at(2_400) }));
    expect(lines.slice(0, 2)).toEqual(["⚪ Production · Service didn't answer", 'there was no connection to it']);
    expect(lines[2]?.replace(/^not checked \S+ 12:00 UTC–12:\d\d UTC(: |, | · )/, '')).toBe(`${words} · #1`);
    expect(lines[3]).toBe('⚪ recovering: checked again since 12:35 UTC');
  });
});
