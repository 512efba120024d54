import { describe, expect, test } from 'vitest';
import { aHealth } from '../../../health/health.testing.ts';
import type { EnvironmentStatus, Status, StoreStatus } from '../../../health/situation.ts';
import { at, expectFit, HOSTILE, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { statusMessage } from './status-message.ts';

const NOTHING_OUTSTANDING = { open: [], mutes: [], mutedIncidents: 0 };

function anEnvironmentStatus(change: Partial<EnvironmentStatus> = {}): EnvironmentStatus {
  return { environment: PRODUCTION, health: aHealth(), condition: 'fine', check: 'checked', ...change };
}

function aStore(change: Partial<StoreStatus> = {}): StoreStatus {
  const backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
  return {
    answeredInMs: 3,
    backlog,
    outstanding: NOTHING_OUTSTANDING,
    editRefusals: [],
    replicas: 1,
    trouble: null,
    ...change,
  };
}

function aStatus(change: Partial<Status> = {}): Status {
  return {
    at: NOON,
    environments: [anEnvironmentStatus()],
    slack: { isConnected: true, lastTrouble: null },
    store: aStore(),
    behind: [],
    running: { version: '1.2.3', startedAt: at(-3_600) },
    ...change,
  };
}

const wordsFor = (change: Partial<Status>) => wordsOf(statusMessage(aStatus(change)));

test('status says in the first line that all is well, and shows nothing else but how far it is and which Notif this is', () => {
  const message = statusMessage(aStatus());
  expectFit(message);
  expect(wordsOf(message).split('\n')).toEqual([
    '✅ All caught up: events checked, alerts sent',
    '✅ production · up to date · as of 11:59:50 UTC (10 s ago)',
    'Notif 1.2.3 since 2026-03-04 11:00 UTC (1 h)',
  ]);
});

test('status begins with open incidents by severity, then mutes', () => {
  const open = [
    { severity: 'critical', failing: 1, quiet: 0 },
    { severity: 'high', failing: 2, quiet: 1 },
  ] as const;
  const mutes = [
    { channel: 'C0ONCALL', muted: 1, watches: 1, until: at(3_600) },
    { channel: null, muted: 1, watches: 3, until: at(7_200) },
  ];
  const first = (outstanding: StoreStatus['outstanding']) =>
    wordsFor({ store: aStore({ outstanding }) }).split('\n')[0] ?? '';
  expect(first({ open, mutes, mutedIncidents: 2 })).toBe(
    '🔴 3 incidents failing: 1 critical, 2 high · ⚪ 1 incident without failures lately, not resolved · ' +
      '🔕 <#C0ONCALL> is muted until 2026-03-04 13:00 UTC, 1 of 3 watches in a private channel is muted until 2026-03-04 14:00 UTC, 2 incidents muted',
  );
  const others = [{ severity: 'other', failing: 1, quiet: 0 }] as const;
  expect(first({ open: others, mutes: [], mutedIncidents: 0 })).toBe('🔴 1 incident failing');
  const two = [{ channel: 'C0ONCALL', muted: 2, watches: 3, until: at(3_600) }];
  expect(first({ open: [], mutes: two, mutedIncidents: 0 })).toContain('2 of 3 watches in <#C0ONCALL> are muted until');
  const many = Array.from({ length: 5 }, (_, n) => ({ channel: `C${n}`, muted: 1, watches: 1, until: at(60) }));
  expect(first({ open: [], mutes: many, mutedIncidents: 0 })).toContain(', 2 more channels muted');
});

test('status has the same content for screen readers', () => {
  const { text } = statusMessage(aStatus());
  for (const words of ['alerts sent', 'up to date', '1.2.3']) {
    expect(text).toContain(words);
  }
});

describe('an environment', () => {
  const words = (change: Partial<EnvironmentStatus>) => wordsFor({ environments: [anEnvironmentStatus(change)] });

  test("that can't be read shows the reason and what to do next", () => {
    const health = aHealth({ failingSince: at(-1_800), problem: { kind: 'key-refused', status: 401 } });
    const told = words({ condition: 'failing', health });
    expect(told).toContain("⚠️ Needs attention: production can't read events");
    expect(told).toContain("Couldn't read from production: the API key was refused (401). Failing for 30 min.");
    expect(told).toContain('Check NOTIF_PRODUCTION_API_KEY.');
  });

  test('whose polling stalled, although the service responds, shows how to find the reason', () => {
    const told = words({ condition: 'silent', health: aHealth({ lastSuccessAt: at(-600) }) });
    expect(told).toContain('🔴 production · polling stalled');
    expect(told).toContain('Polling has stalled without an error. Last success 10 min ago.');
    expect(told).toContain('then restart Notif');
  });

  test('with a gap shows how much is left', () => {
    const told = words({ condition: 'catching-up', health: aHealth({ openGaps: 2, uncheckedMs: 5_400_000 }) });
    expect(told).toContain('⏳ production · up to date; backfilling missed events');
    expect(told).toContain('2 gaps: 90 min still to be checked.');
  });

  test("that couldn't read everything says what is missing, and isn't green", () => {
    const shown = words({ condition: 'incomplete', health: aHealth({ unreadable: 3, notRecoveredMs: 720_000 }) });
    expect(shown).toContain("⚠️ Needs attention: production couldn't read everything\n");
    expect(shown).toContain("🟡 production · up to date; couldn't read everything · as of");
    expect(shown).toContain("3 events and 12 min of the last day couldn't be read: failures there aren't reported.");
    expect(shown).not.toContain('✅');
  });

  test('that is late with rechecks shows by how much', () => {
    const told = words({ condition: 'late', health: aHealth({ behindMs: 720_000 }) });
    expect(told).toContain('Checks for late failures are 12 min behind; they catch up when the rate limit allows.');
    expect(told).toContain('🟡 production · up to date; late-failure checks delayed');
    expect(told).toContain('Needs attention: production late-failure checks delayed\n');
  });

  test("whose check hasn't finished isn't green, even without a problem", () => {
    const told = words({ check: 'still checking' });
    expect(told).toContain('⚪ still being checked: production');
    expect(told).toContain('⚪ production · still being checked · as of 11:59:50 UTC (10 s ago)');
    expect(told).not.toContain('✅');
    const late = words({ condition: 'late', health: aHealth({ behindMs: 720_000 }), check: 'still checking' });
    expect(late).toContain('🟡 production · still being checked; late-failure checks delayed');
  });

  test("whose check failed isn't still being checked, and isn't green", () => {
    const health = aHealth({ failingSince: at(-1_800), problem: { kind: 'unreachable' } });
    const failing = words({ condition: 'failing', health, check: 'failed' });
    expect(failing.split('\n')[0]).toBe("⚠️ Needs attention: production can't read events");
    const unexplained = words({ check: 'failed' });
    expect(unexplained.split('\n').slice(0, 2)).toEqual([
      "⚠️ Needs attention: production couldn't be checked just now",
      '⚪ production · up to date · as of 11:59:50 UTC (10 s ago) · the check just now failed',
    ]);
    expect(unexplained).not.toContain('✅');
    expect(words({ condition: 'late', health: aHealth({ behindMs: 720_000 }), check: 'failed' })).toContain(
      'late-failure checks delayed · as of 11:59:50 UTC (10 s ago) · the check just now failed',
    );
  });

  test("that couldn't be read since Notif first started doesn't say as of when it was", () => {
    const never = aHealth({ lastSuccessAt: null, checkedTo: at(-3_600) });
    const shown = words({ condition: 'failing', health: never });
    expect(shown).toContain("🔴 production · can't read events · no check has finished yet\n");
    expect(words({ condition: 'not-read-yet', health: never })).toContain('⏳ production · not checked yet\n');
  });

  test('that was polled within a second says so', () => {
    expect(words({ health: aHealth({ checkedTo: NOON }) })).toContain('up to date · as of 12:00:00 UTC (just now)\n');
  });

  test('that was never polled says so', () => {
    expect(words({ condition: 'not-read-yet', health: null })).toContain('⏳ production · not checked yet');
  });

  test('shows what is wrong besides the worst, such as a clock that is off', () => {
    const told = words({
      condition: 'late',
      health: aHealth({ openGaps: 1, uncheckedMs: 60_000, clockAheadMs: -720_000 }),
    });
    expect(told).toContain("1 gap open, 1 min not checked yet · the service's clock is 12 min behind Notif's");
  });
});

describe('message delivery', () => {
  test("shows pending messages in the first line, which then isn't green", () => {
    const backlog = { waiting: 3, oldest: at(-240), oldestHeldUp: at(-240) };
    const told = wordsFor({ store: aStore({ backlog }) });
    expect(told).toContain('⏳ 3 messages pending, oldest 4 min');
    const fresh = wordsFor({ store: aStore({ backlog: { waiting: 1, oldest: at(-2), oldestHeldUp: at(-2) } }) });
    expect(fresh.split('\n')[0]).toBe('⏳ 1 message pending, oldest 2 s');
  });

  test('shows when only channel problems block it', () => {
    const backlog = { waiting: 2, oldest: at(-86_400), oldestHeldUp: null };
    expect(wordsFor({ store: aStore({ backlog }) })).toContain('blocked by channel problems');
  });

  test("lists up to five channels whose messages Notif can't edit, with the reason", () => {
    const editRefusals = Array.from({ length: 7 }, (_, n) => ({ channel: `C${n}`, reason: 'edit_window_closed' }));
    const words = wordsFor({ store: aStore({ editRefusals }) });
    expect(words).toContain('Slack refuses edits in <#C0> (edit_window_closed), <#C1>');
    expect(words).toContain("and 2 more channels: counts in posted messages don't update there");
    expect(wordsFor({ store: aStore() })).not.toContain('refuses edits');
  });

  test('shows the last call that Slack refused', () => {
    const lastTrouble = { method: 'chat.postMessage', word: 'rate_limited', at: at(-30) };
    expect(wordsFor({ slack: { isConnected: true, lastTrouble } })).toContain(
      'last failed call: chat.postMessage (rate_limited), 30 s ago; backing off',
    );
  });

  test.each(['rate_limited', 'timed_out', 'http_503'])('shows no retry of a call that failed long ago (%s)', (word) => {
    const lastTrouble = { method: 'chat.postMessage', word, at: at(-3 * 86_400) };
    expect(wordsFor({ slack: { isConnected: true, lastTrouble } })).toContain(
      `last failed call: chat.postMessage (${word}), 3 d ago\n`,
    );
  });
});

test("status says that the database doesn't respond, and what that means", () => {
  const told = wordsFor({ store: null, environments: [anEnvironmentStatus({ health: null, condition: 'unknown' })] });
  expect(told).toContain("⚠️ Needs attention: Notif's database isn't responding");
  expect(told).toContain('production · status unknown');
  expect(told).toContain('Next: check that it runs');
});

test('status fits into a message with fifty failing environments, and says what was left out', () => {
  const environment = { ...STAGING, label: HOSTILE.slice(0, 40) };
  const problem = { kind: 'refused', status: 400, message: HOSTILE.repeat(20), fields: ['after'] } as const;
  const health = aHealth({ failingSince: at(-1_800), problem });
  const one = anEnvironmentStatus({ environment, health, condition: 'failing' });
  const message = statusMessage(aStatus({ environments: Array.from({ length: 60 }, () => one) }));
  expectFit(message);
  expect(wordsOf(message)).toMatch(/\d+ more environments, \d+ in trouble/);
});

test('status counts the replicas if there are several', () => {
  expect(wordsFor({ store: aStore({ replicas: 3 }) })).toContain('(1 h) · 3 replicas');
});

test('status names the loop that is behind, and when it last succeeded', () => {
  const behind = [
    { name: 'announce', delays: 'Alerts', lastSuccessAt: at(-900) },
    { name: 'prune', delays: 'Deletions of old data', lastSuccessAt: null },
  ];
  const told = wordsFor({ behind });
  expect(told).toContain('⚠️ Needs attention: Alerts are behind · Deletions of old data are behind');
  expect(told).toContain('⚠️ Alerts are behind: announce last succeeded 11:45:00 UTC. Look for Loop failed');
  expect(told).toContain('⚠️ Deletions of old data are behind: prune has not succeeded yet.');
});

test('status of many environments begins with those in trouble, and says of how many the others are', () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    anEnvironmentStatus({ environment: { ...PRODUCTION, name: `shop-${index}`, label: `Shop ${index}` } }),
  );
  const failing = { ...PRODUCTION, name: 'last', label: 'Last shop' };
  const environments = [...many, anEnvironmentStatus({ environment: failing, condition: 'silent' })];
  const message = statusMessage(aStatus({ environments }));
  expectFit(message);
  const lines = wordsOf(message).split('\n');
  expect(lines[1]).toMatch(/^🔴 Last shop · polling stalled/);
  const shown = lines.filter((line) => /^✅ Shop \d+ · /.test(line)).length;
  expect(wordsOf(message)).toContain(`${60 - shown} more environments, all up to date`);
  const worse = environments.map((one) => ({ ...one, condition: 'silent' as const }));
  expect(wordsFor({ environments: worse })).toMatch(/^\d+ more environments, \d+ in trouble$/m);
});
