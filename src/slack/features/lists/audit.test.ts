import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditEntry, AuditPage, Change, ChangeOutcome, NumberedEntry } from '../../../audit/entry.ts';
import { parseRequest, type SinceRequest, writeRequest } from '../../kit/since-request.ts';
import {
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  STAGING,
  wordsOf,
} from '../../slack.testing.ts';
import { auditMessage, MORE_ENTRIES } from './audit.ts';

const OPTIONS = { environments: [PRODUCTION, STAGING], retentionDays: 30 };
const REQUEST: SinceRequest = { since: NOON, environments: [], olderThan: null };

const ENTRY: AuditEntry = {
  at: at(60),
  actor: 'U0ANN',
  channel: 'C0GENERAL',
  environment: 'production',
  change: { action: 'trigger', workflow: 'order-shipped', recipients: 3 },
  outcome: { is: 'sent', accepted: 3, refused: 0 },
  intentId: 'intent-1',
};

const page = (...entries: Partial<NumberedEntry>[]): AuditPage => ({
  entries: entries.map((entry, index) => ({ ...ENTRY, ...entry, number: 100 - index })),
  hasOlder: false,
});
const wordsFor = (entry: Partial<NumberedEntry>) => wordsOf(auditMessage(OPTIONS, page(entry), REQUEST));

describe('an audit entry', () => {
  test('shows who, what, where, the outcome, when and from which channel', () => {
    expect(wordsFor({})).toContain(
      '2026-03-04 12:01 UTC | <@U0ANN> | triggered 3 events of order-shipped | production | ✅ all accepted | <#C0GENERAL>',
    );
    const aside = wordsFor({
      channel: 'D0ANN',
      environment: null,
      change: { action: 'watch-made', watch: 'tz:UTC' },
    });
    expect(aside).toContain('created a watch: /notif watch tz:UTC | – | ✅ all accepted | direct message');
  });

  test.each<[ChangeOutcome, string, string]>([
    [{ is: 'begun' }, '⏳', 'outcome not known yet'],
    [{ is: 'done' }, '✅', 'done'],
    [{ is: 'sent', accepted: 2, refused: 1 }, '🟡', '2 accepted, 1 refused'],
    [{ is: 'sent', accepted: 0, refused: 3 }, '🔴', '0 accepted, 3 refused'],
    [{ is: 'refused', why: 'key-refused' }, '🔴', 'nothing was changed (key refused)'],
    [{ is: 'unknown' }, '🟡', 'outcome unknown: it may have gone through'],
  ])('shows %j', (outcome, emoji, words) => {
    const said = wordsFor({ outcome });
    expect(said).toContain(`${emoji} ${words}`);
  });

  const incident = { number: 20, channel: 'email', provider: 'sendgrid' };
  const until = at(3_600);
  test.each<[Change, string]>([
    [{ action: 'credentials', subscriberId: 'anna', provider: 'fcm' }, 'updated credentials of anna for fcm'],
    [{ action: 'watch-changed', watch: 'channel:email' }, 'changed a watch, now: /notif watch channel:email'],
    [{ action: 'watch-ended', watch: 'tz:UTC' }, 'removed a watch: /notif watch tz:UTC'],
    [
      { action: 'watch-muted', watch: 'tz:UTC', until },
      'muted a watch until 2026-03-04 13:00 UTC: /notif watch tz:UTC',
    ],
    [{ action: 'watch-unmuted', watch: 'tz:UTC' }, 'unmuted a watch: /notif watch tz:UTC'],
    [{ action: 'incident-muted', incident, until }, 'muted #20 Email · SendGrid until 2026-03-04 13:00 UTC |'],
    [{ action: 'incident-unmuted', incident: { ...incident, number: null, provider: null } }, 'unmuted Email |'],
    [{ action: 'acknowledged', incident }, 'acknowledged #20 Email · SendGrid |'],
    [{ action: 'assigned', incident, to: 'U0BEN' }, 'assigned #20 Email · SendGrid to <@U0BEN> |'],
    [{ action: 'unacknowledged', incident }, 'unacknowledged #20 Email · SendGrid |'],
    [
      { action: 'noted', incident, text: 'key rotated in vault' },
      'added a note to #20 Email · SendGrid: “key rotated in vault” |',
    ],
    [{ action: 'deployed' }, 'reported a deploy'],
    [{ action: 'channel-environment', to: 'staging' }, "set the channel's environment to staging"],
    [{ action: 'channel-environment', to: null }, "removed the channel's environment"],
  ])('shows %j', (change, words) => {
    expect(wordsFor({ change, outcome: { is: 'done' } })).toContain(words);
  });

  test.each<ChangeOutcome>([{ is: 'unknown' }, { is: 'begun' }])('claims nothing unknown: %j', (outcome) => {
    const change: Change = { action: 'credentials', subscriberId: 'anna', provider: 'fcm' };
    expect(wordsFor({ change, outcome })).toContain('tried to update credentials of anna for fcm');
  });
});

describe('a page of the audit trail', () => {
  test('says how many, since when and where, and when there are none', () => {
    const request = { ...REQUEST, environments: ['staging'] };
    expect(wordsOf(auditMessage(OPTIONS, page(), request))).toContain(
      'No changes in staging since 2026-03-04 12:00 UTC',
    );
    expect(wordsOf(auditMessage(OPTIONS, page({}), REQUEST))).toContain('1 change since 2026-03-04 12:00 UTC');
  });

  test('loads more after the last entry that fit', () => {
    expect(buttonsOf(auditMessage(OPTIONS, page({}), REQUEST))).toEqual([]);
    const change: Change = { action: 'credentials', subscriberId: 'a'.repeat(255), provider: HOSTILE };
    const message = auditMessage(OPTIONS, page(...Array.from({ length: 100 }, () => ({ change }))), REQUEST);
    expectFit(message);
    const shown = wordsOf(message).match(/credentials of/g)?.length ?? 0;
    expect(shown).toBeLessThan(100);
    expect(parseRequest(buttonValue(message, MORE_ENTRIES) ?? '')).toEqual({ ...REQUEST, olderThan: 101 - shown });
  });

  test('escapes hostile names', () => {
    const incident = { number: 20, channel: HOSTILE, provider: HOSTILE };
    const changes: Change[] = [
      { action: 'trigger', workflow: HOSTILE, recipients: 1 },
      { action: 'watch-made', watch: HOSTILE },
      { action: 'acknowledged', incident },
    ];
    const entries = changes.map((change) => ({ change, actor: HOSTILE, channel: HOSTILE, environment: HOSTILE }));
    expectFit(auditMessage(OPTIONS, page(...entries), { ...REQUEST, environments: [HOSTILE] }));
  });
});

describe('a request in a button', () => {
  test('survives a round trip', () => {
    const request = fc.record({
      since: fc.date({ min: NOON, max: at(1e9), noInvalidDate: true }),
      environments: fc.array(fc.string(), { maxLength: 5 }),
      olderThan: fc.option(fc.nat()),
    });
    fc.assert(fc.property(request, (one) => void expect(parseRequest(writeRequest(one))).toEqual(one)));
  });

  test.each(['', 'v0|1|2', 'v1|soon|', 'v1|1|x', `v1|${'9'.repeat(20)}|`, `v1|1|${'9'.repeat(20)}`])(
    'is null for %j',
    (value) => {
      expect(parseRequest(value)).toBeNull();
    },
  );
});
