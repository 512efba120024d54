import { describe, expect, test } from 'vitest';
import type { EnvironmentCondition } from '../../../health/environment-condition.ts';
import { advice, problem } from '../../../health/finding.ts';
import { aHealth } from '../../../health/health.testing.ts';
import type { EnvironmentStatus, Status } from '../../../health/status.ts';
import type { Command } from '../../router/command.ts';
import { anIncident, at, expectFit, expectView, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { helpMessage } from '../help/help.ts';
import { doctorMessage } from './doctor.ts';
import { homeView } from './home.ts';
import { statusMessage } from './status.ts';

function anEnvironmentStatus(change: Partial<EnvironmentStatus> = {}): EnvironmentStatus {
  const open = { firing: 0, critical: 0, unconfirmed: 0 };
  return { environment: PRODUCTION, health: aHealth(), condition: FINE, open, silences: [], ...change };
}

const FINE: EnvironmentCondition = { is: 'fine', words: 'up to date', what: '', next: '' };
const STALLED: EnvironmentCondition = {
  is: 'problem',
  words: 'polling stalled',
  what: 'It has stalled.',
  next: 'Restart it.',
};

const A_HOME = {
  open: { mine: [], others: { items: [], more: 0 } },
  ended: [],
  owed: { incidents: 0, until: null },
  onCall: [],
  canTrigger: true,
};

const STORE: NonNullable<Status['store']> = {
  health: [],
  backlog: { waiting: 0, oldest: null, oldestUnblocked: null },
  pager: null,
  open: [],
  mutes: [],
  silences: [],
  refusals: [],
  blocked: [],
  unreached: [],
  trouble: null,
  unreadable: [],
};

function aStatus(change: Partial<Status> = {}): Status {
  return {
    at: NOON,
    environments: [anEnvironmentStatus(), anEnvironmentStatus({ environment: STAGING })],
    store: STORE,
    troubles: [],
    running: { version: '1.2.3', startedAt: at(-3_600) },
    ...change,
  };
}

describe('the status', () => {
  test('shows what is wrong with its next step, and the other environments in one line', () => {
    const production = anEnvironmentStatus({ condition: STALLED, open: { firing: 3, critical: 1, unconfirmed: 2 } });
    const staging = anEnvironmentStatus({ environment: STAGING, open: { firing: 1, critical: 0, unconfirmed: 0 } });
    const alone = wordsOf(statusMessage(aStatus({ environments: [production] })));
    expect(alone).toContain(
      '⚠️ Not everything is up to date · 🔴 3 incidents failing (1 critical) · ⚪ 2 incidents recovering or unconfirmed',
    );
    const words = wordsOf(statusMessage(aStatus({ environments: [production, staging] })));
    expect(words).toContain(
      '3 incidents failing (1 critical) in production · ⚪ 2 incidents recovering or unconfirmed in production · 🔴 1 incident failing in staging',
    );
    expect(words).toContain('🔴 production · polling stalled · as of 11:59:50 UTC\nIt has stalled.\nRestart it.');
    expect(words).toContain('✅ staging · up to date');
  });

  test('counts what waits beyond the horizon, and says when the next of it ends', () => {
    const production = anEnvironmentStatus({ health: aHealth({ waiting: 3, nextWaitEndsAt: at(3_600) }) });
    expect(wordsOf(statusMessage(aStatus({ environments: [production] })))).toContain(
      '⏳ production · 3 events with long waits, the next due 2026-03-04 13:00 UTC',
    );
  });

  test("says by how much a service's clock is ahead, of which all times in the future come", () => {
    const production = anEnvironmentStatus({ health: aHealth({ clockAheadMs: 420_000 }) });
    const words = wordsOf(statusMessage(aStatus({ environments: [production] })));
    expect(words).toContain("🕑 production · the service's clock is 7 min ahead");
    expect(words.match(/clock/g)).toHaveLength(1);
  });

  test('and the Home tab name what is silent', () => {
    const silence = {
      environment: 'production',
      critical: false,
      since: at(-1_800),
      usually: 'pauses usually end within 3 min',
    };
    const silences = ['payment-failed', null].map((name, index) => {
      return { ...silence, incidentId: index + 1, workflow: name, name };
    });
    const status = aStatus({ environments: [anEnvironmentStatus({ silences })] });
    const home = homeView({ status, ...A_HOME }, [PRODUCTION, STAGING]);
    const since = 'since 2026-03-04 11:30 UTC (pauses usually end within 3 min)';
    for (const shown of [statusMessage(status), home])
      expect(wordsOf(shown)).toContain(
        `🔇 No event of payment-failed in production ${since} #1 · 🔇 No event of production ${since} #2`,
      );
  });

  test('says what else is in trouble, and what to do about it', () => {
    const troubles = [advice('Slack refuses edits here:', 'Invite Notif.', [{ kind: 'channel', id: 'C1' }])];
    expect(
      wordsOf(statusMessage(aStatus({ troubles })))
        .split('\n')
        .slice(1, 3),
    ).toEqual(['🟡 Slack refuses edits here: <#C1>', 'Invite Notif.']);
    const away = aStatus({ store: null, troubles: [problem('It is away.', 'Wait.')] });
    expect(wordsOf(statusMessage(away))).toContain('⚠️ Not everything is up to date\n🔴 It is away.\nWait.');
  });

  test('and the Home tab show the environments that are worst off first', () => {
    const LATE: EnvironmentCondition = { is: 'advice', words: 'catching up on gaps', what: 'Gaps.', next: '' };
    const environments = [
      ...[FINE, LATE].map((condition) => anEnvironmentStatus({ condition })),
      anEnvironmentStatus({ environment: STAGING, condition: STALLED }),
    ];
    const status = aStatus({ environments });
    const home = homeView({ status, ...A_HOME }, [PRODUCTION, STAGING]);
    const inOrder = /polling stalled.*catching up on gaps.*up to date/s;
    for (const shown of [statusMessage(status), home]) expect(wordsOf(shown)).toMatch(inOrder);
  });

  test('of an environment in an outage is left to its incident, if the Home tab shows that', () => {
    const environments = [anEnvironmentStatus({ condition: STALLED, health: aHealth({ outageId: 1 }) })];
    const open = (id: number) => ({ mine: [], others: { items: [anIncident({ id })], more: 0 } });
    const shown = { ...A_HOME, status: aStatus({ environments }) };
    const [there, elsewhere] = [1, 2].map((id) => wordsOf(homeView({ ...shown, open: open(id) }, [PRODUCTION])));
    expect([there, elsewhere].map((words) => words?.includes('polling stalled'))).toEqual([false, true]);
  });

  test('of hundreds of environments in trouble fits into a message', () => {
    const environments = Array.from({ length: 200 }, () => anEnvironmentStatus({ condition: STALLED }));
    const message = statusMessage(aStatus({ environments }));
    expectFit(message);
    expect(wordsOf(message)).toMatch(/\d+ more problems/);
  });
});

test('doctor shows problems first, each with its fix, and folds what passed', () => {
  const checked = [
    { subject: 'Watches', findings: [advice('There is none.', 'Run /notif watch.')] },
    { subject: 'Bot token', findings: [problem('It is refused.', 'Copy it again.')] },
    { subject: 'Database', findings: [] },
  ];
  const message = doctorMessage(checked, NOON);
  expectFit(message);
  expect(wordsOf(message).split('\n')).toEqual([
    '🔴 2 findings · ✅ 1 check passed',
    ...['🔴 Bot token · problem', 'It is refused.', 'Next: Copy it again.'],
    ...['🟡 Watches · advice', 'There is none.', 'Next: Run /notif watch.'],
    ...['Passed', 'Database', 'As of 12:00:00 UTC'],
  ]);
});

test('doctor fits with many problems, and names all that passed', () => {
  const bad = {
    subject: 'Watches',
    findings: Array.from({ length: 60 }, () => advice('None. '.repeat(9), 'Add one.')),
  };
  const passed = Array.from({ length: 20 }, (_, n) => ({ subject: `Check of the setup ${n}`, findings: [] }));
  const message = doctorMessage([bad, ...passed], NOON);
  expectFit(message);
  expect(wordsOf(message)).toContain('· Check of the setup 19\n');
});

test('a Home tab shows who is on call, what is theirs, what is open and what ended, then the worst in twenty lines', () => {
  const troubles = Array.from({ length: 21 }, (_, index) => problem(`Trouble ${index}.`, 'Fix it.'));
  const shown = {
    ...A_HOME,
    status: aStatus({ troubles }),
    open: { mine: [anIncident({ id: 2 })], others: { items: [anIncident()], more: 11 } },
    ended: [anIncident({ id: 3, state: { is: 'resolved', actor: null, at: NOON, ending: 'recovered' } })],
    owed: { incidents: 2, until: at(600) },
    onCall: [{ mention: { kind: 'user-group', id: 'S0ONCALL' } as const, members: ['U0ANN', 'U0BEN'] }],
  };
  const view = homeView(shown, [PRODUCTION, STAGING]);
  expectView(view);
  const words = wordsOf(view);
  expect(words).toContain('Trouble 19.\nFix it.\n… and 3 more: /notif status');
  expect(words).toContain('11 more open incidents: /notif handover');
  expect(words).toContain('<!subteam^S0ONCALL>: <@U0ANN>, <@U0BEN>');
  expect(words).toContain(
    '🌙 2 incidents wait for the end of quiet hours or mutes, 2026-03-04 12:10 UTC at the earliest',
  );
  const places = ['Yours', '#2', 'Others', '#1', 'Ended in the last 12 hours', '#3', 'Trouble 0', 'Help'].map((word) =>
    words.indexOf(word),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test('help is a line for each command that the person can use, by purpose', () => {
  const answer = async () => {};
  const aCommand = (word: string, purpose: 'lookup' | 'failing' | 'change'): Command => ({
    word,
    purpose,
    usage: '',
    about: `about ${word}`,
    examples: [],
    filters: [],
    for: purpose === 'change' ? 'operators' : 'everyone',
    answer,
  });
  const commands = [aCommand('failures', 'failing'), aCommand('event', 'lookup'), aCommand('trigger', 'change')];
  const permissions = { everyone: true, members: true, operators: false };
  const words = wordsOf(helpMessage(commands, permissions, [PRODUCTION, STAGING]));
  expect(words).toContain('Look something up\nevent — about event\n');
  expect(words).not.toContain('trigger');
  expect(words).toContain('Operators can also send tests');
  expect(words).toContain('Environments: env:production, env:staging');
});
