import { describe, expect, test } from 'vitest';
import { aHealth } from '../../../health/health.testing.ts';
import type { Home, OpenIncident } from '../../../health/home.ts';
import type { EnvironmentStatus, Status } from '../../../health/situation.ts';
import { UNFILTERED } from '../../../watches/settings.ts';
import { aWatch } from '../../../watches/watch.testing.ts';
import {
  anIncident,
  aTally,
  at,
  buttonsOf,
  expectFit,
  expectView,
  HOSTILE,
  NOON,
  PRODUCTION,
  STAGING,
  wordsOf,
} from '../../slack.testing.ts';
import { homeView } from './home-message.ts';
import { openIncidentsMessage, parseOffset } from './incidents-message.ts';

const BOTH = [PRODUCTION, STAGING];

function anEnvironmentStatus(change: Partial<EnvironmentStatus> = {}): EnvironmentStatus {
  return { environment: PRODUCTION, health: aHealth(), condition: 'fine', check: null, ...change };
}

function aStatus(change: Partial<Status> = {}): Status {
  const backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
  return {
    at: NOON,
    environments: [anEnvironmentStatus(), anEnvironmentStatus({ environment: STAGING })],
    slack: { isConnected: true, lastTrouble: null },
    store: {
      answeredInMs: 3,
      backlog,
      outstanding: { open: [], mutes: [], mutedIncidents: 0 },
      editRefusals: [],
      replicas: 1,
      trouble: null,
    },
    behind: [],
    running: { version: '1.2.3', startedAt: at(-3_600) },
    ...change,
  };
}

const anOpenIncident = ({ mutedIn = 0, ...change }: Partial<OpenIncident> = {}): OpenIncident => ({
  ...anIncident(change),
  mutedIn,
});

function aHome(change: Partial<Home> = {}): Home {
  return {
    status: aStatus(),
    open: { incidents: [anOpenIncident()], offset: 0, total: 1 },
    watches: { watches: [aWatch()], others: 0 },
    canTrigger: 'yes',
    ...change,
  };
}

const wordsFor = (change: Partial<Home>) => wordsOf(homeView(aHome(change), BOTH));

test('Home shows health, what fails, and which channels get alerts, as of a time', () => {
  const view = homeView(aHome(), BOTH);
  expectView(view);
  const words = wordsOf(view);
  for (const told of [
    '✅ All caught up: events checked, alerts sent',
    'Updated 12:00:00 UTC',
    '✅ production · up to date · as of 11:59:50 UTC (10 s ago)',
    '1 open incident',
    '🔴 Email via SendGrid fails: The provided authorization grant is invalid (401) · production · #1',
    '48 of 60 since 12:00 UTC · 47 people',
    '<#C0ONCALL> · All failures',
    'alerts right away · daily summary at 09:00 · times in UTC',
    'Notif 1.2.3 since',
  ]) {
    expect(words).toContain(told);
  }
});

test('Home offers a lookup and help to everybody, and a test to operators', () => {
  expect(buttonsOf(homeView(aHome(), BOTH))).toEqual([
    'Refresh',
    'Find a notification',
    'Send a test',
    'Help',
    'Acknowledge',
    'Example',
  ]);
  expect(buttonsOf(homeView(aHome({ canTrigger: 'no' }), BOTH))).not.toContain('Send a test');
  expect(buttonsOf(homeView(aHome({ canTrigger: 'unknown' }), BOTH))).toContain('Send a test');
});

test('Home names nobody to whom something was sent', () => {
  expect(wordsFor({})).not.toContain('user-0042');
});

describe('an incident on Home', () => {
  const told = (change: Partial<OpenIncident>) => {
    return wordsFor({ open: { incidents: [anOpenIncident(change)], offset: 0, total: 1 } });
  };

  test('shows who has it, since when it has not failed, and how many watches mute it', () => {
    expect(told({ acknowledged: { by: 'U0ANN', at: at(60) } })).toContain('👀 <@U0ANN> 12:01 UTC');
    expect(told({ state: { is: 'unconfirmed', since: at(60) } })).toContain('⚪ no failures since');
    expect(told({ mutedIn: 1 })).toContain('🔕 muted in 1 watch');
    expect(told({ mutedIn: 2 })).toContain('🔕 muted in 2 watches');
  });
});

test('Home says that nothing is open', () => {
  expect(wordsFor({ open: { incidents: [], offset: 0, total: 0 } })).toContain('No open incidents.');
});

test("Home counts the watches that its owner can't see", () => {
  expect(wordsFor({ watches: { watches: [], others: 3 } })).toContain('3 more, in private channels, direct messages');
  expect(wordsFor({ watches: { watches: [], others: 0 } })).toContain('No watches. Run /notif watch');
});

test("Home says what it can't show while the database doesn't respond", () => {
  const words = wordsFor({ status: aStatus({ store: null }), open: null, watches: null });
  expect(words).toContain("⚠️ Needs attention: Notif's database isn't responding");
  expect(words).toContain("Open incidents can't be shown");
  expect(words).toContain("Watches can't be shown");
});

const HOSTILE_TALLY = aTally({ kind: { workflow: HOSTILE.repeat(4), cause: { text: HOSTILE.repeat(9), key: 'x' } } });

test("Home fits into Slack's limits, however much there is", () => {
  const environment = { ...STAGING, label: HOSTILE.slice(0, 40) };
  const problem = { kind: 'refused', status: 400, message: HOSTILE.repeat(20), fields: ['after'] } as const;
  const failing = anEnvironmentStatus({ environment, condition: 'failing', health: aHealth({ problem }) });
  const filter = { ...UNFILTERED.filter, workflows: Array.from({ length: 50 }, () => HOSTILE) };
  const watch = aWatch({ settings: { ...UNFILTERED, filter } });
  const view = homeView(
    aHome({
      status: aStatus({ environments: Array.from({ length: 60 }, () => failing) }),
      open: {
        incidents: Array.from({ length: 10 }, (_, id) => anOpenIncident({ id, tally: HOSTILE_TALLY })),
        offset: 0,
        total: 1_500,
      },
      watches: { watches: Array.from({ length: 15 }, () => watch), others: 200 },
    }),
    BOTH,
  );
  expectView(view);
  expect(view.blocks.length).toBeLessThanOrEqual(70);
  expect(wordsOf(view)).toContain('45 more environments: /notif status');
  expect(buttonsOf(view)).toContain('All 1,500 open incidents');
});

describe('all open incidents', () => {
  const page = (offset: number, length: number, total: number) =>
    openIncidentsMessage(
      {
        incidents: Array.from({ length }, (_, id) => anOpenIncident({ id, tally: HOSTILE_TALLY })),
        offset,
        total,
      },
      BOTH,
    );

  test('are shown in pages that fit', () => {
    const message = page(10, 10, 37);
    expectFit(message);
    expect(wordsOf(message)).toContain('Open incidents 11–18 of 37, what fails first');
    expect(buttonsOf(message).slice(-2)).toEqual(['Previous incidents', 'Next incidents']);
    expect(buttonsOf(page(30, 7, 37)).slice(-1)).toEqual(['Previous incidents']);
  });

  test('go on after the last one that fits, so that each is on some page', () => {
    const note = { text: '&'.repeat(500), by: 'U0ANN', at: NOON };
    const all = Array.from({ length: 14 }, (_, index) =>
      anOpenIncident({ id: 100 + index, tally: HOSTILE_TALLY, note }),
    );
    const seen: string[] = [];
    for (let offset: number | null = 0, pages = 0; offset !== null && pages < 14; pages += 1) {
      const message = openIncidentsMessage(
        { incidents: all.slice(offset, offset + 10), offset, total: all.length },
        BOTH,
      );
      expectFit(message);
      const numbers = wordsOf(message).match(/#1\d\d(?!\d)/g) ?? [];
      expect(wordsOf(message)).toContain(`Open incidents ${offset + 1}–${offset + numbers.length} of 14`);
      seen.push(...numbers);
      const next = JSON.stringify(message.blocks).match(/"home\.incidents-next","value":"([^"]*)"/)?.[1];
      offset = next === undefined ? null : parseOffset(next);
    }
    expect(seen).toEqual(all.map(({ id }) => `#${id}`));
  });

  test('say when there are fewer than the page expects', () => {
    expect(wordsOf(page(30, 0, 1))).toContain('Only 1 open incident is left.');
    expect(wordsOf(page(30, 0, 12))).toContain('Only 12 open incidents are left.');
    expect(wordsOf(page(0, 0, 0))).toContain('No incident is open now.');
  });

  test('accept no value of another version', () => {
    expect(parseOffset('v1|10')).toBe(10);
    expect(['', 'v1', 'v1|-1', 'v1|x', 'v1|1|2', 'v2|1'].map(parseOffset)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
