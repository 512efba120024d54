import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Handover, ownerOf } from '../../domain/health/handover.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { REQUESTER, type Reader } from '../blocks/reader.ts';
import { aRow, aTally, at, buttonsOf, expectFit, HOSTILE, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';
import { type HandoverOptions, handoverMessage } from './message.ts';
import { parseRequest, writeRequest } from './request-message.ts';

const OPTIONS: HandoverOptions = {
  configured: [PRODUCTION, STAGING],
  names: new Map([
    ['U0ANN', 'Ann'],
    ['U0BEN', 'Ben'],
  ]),
  retentionDays: 30,
};
const FROM = at(-8 * 3_600);
const REQUEST = { since: FROM, environments: [] };
const none = { items: [], more: 0 };
const some = <Item>(...items: readonly Item[]) => ({ items, more: 0 });
const open = (...items: readonly IncidentNow[]) => ({
  ...some(...items),
  unowned: items.filter((one) => ownerOf(one) === null).length,
});
const ann = { by: 'U0ANN', at: at(-600) };

function aHandover(change: Partial<Handover> = {}): Handover {
  return {
    range: { from: FROM, to: at(300) },
    environments: [{ name: 'production', datedFrom: FROM, checkedTo: at(295), gaps: [], unchecked: [] }],
    open: open(),
    over: none,
    opened: 0,
    mutes: none,
    mutesTo: at(8 * 3_600),
    changes: { items: [], hasMore: false, unknown: [] },
    tests: none,
    ...change,
  };
}

const GAP: Gap = {
  id: 'gap-1',
  environment: 'staging',
  from: at(-7_200),
  to: at(-3_600),
  cause: 'key-refused',
  openedAt: at(-7_000),
  closedAt: null,
  unchecked: [{ from: at(-5_400), to: at(-3_600) }],
  givenUp: [],
  events: 0,
  failures: 0,
};

const drawn = (change: Partial<Handover>, reader: Reader = REQUESTER) => {
  const message = handoverMessage(aHandover(change), OPTIONS, { request: REQUEST, reader });
  expectFit(message);
  return message;
};
const wordsFor = (change: Partial<Handover>) => wordsOf(drawn(change));

test('a handover names the day to which an environment was checked, if that was long ago', () => {
  const environments = [{ name: 'staging', datedFrom: FROM, checkedTo: at(-3 * 86_400), gaps: [], unchecked: [] }];
  expect(wordsFor({ environments })).toContain('staging checked to 2026-03-01 12:00 UTC');
});

test('a handover of many environments names those furthest behind, and what the others have reached', () => {
  const environments = Array.from({ length: 60 }, (_, n) => ({
    name: `tenant-${n + 1}`,
    datedFrom: FROM,
    checkedTo: n === 58 ? null : at(n === 59 ? 0 : 200 + n),
    gaps: [],
    unchecked: [],
  }));
  const words = wordsFor({ environments });
  expect(words).toContain('tests, no gaps · tenant-59 not checked yet · tenant-60 checked to 12:00:00 UTC · tenant-1 ');
  expect(words).toMatch(/tenant-8 checked to 12:03:27 UTC · 50 more to 12:03:28 UTC or later\n/);
});

describe('the headline of a handover', () => {
  test('begins with unassigned incidents', () => {
    const taken = aRow({ episodeId: 3, assigned: { ...ann, to: 'U0BEN' } });
    const three = open(aRow({ episodeId: 1 }), aRow({ episodeId: 2 }), taken);
    expect(wordsFor({ open: three, opened: 2 }).split('\n')[1]).toBe(
      '🔴 3 open incidents: #1 and #2 are unassigned · 2 opened, 0 over',
    );
    expect(wordsFor({ open: open(taken) })).toContain('🟡 1 open incident, assigned or acknowledged ·');
    expect(wordsFor({ open: open(taken, taken) })).toContain('🟡 2 open incidents, all assigned or acknowledged ·');
    expect(wordsFor({ open: open(taken) })).toContain('🙋 assigned to Ben ·');
    const many = open(...Array.from({ length: 7 }, (_, n) => aRow({ episodeId: n + 1 })));
    expect(wordsFor({ open: many })).toContain('🔴 7 open incidents: #1, #2, #3, #4, #5 and 2 more are unassigned ·');
  });

  test('counts the unassigned ones beyond its list, too', () => {
    const taken = aRow({ assigned: { ...ann, to: 'U0BEN' } });
    const first = Array.from({ length: 15 }, (_, n) => aRow({ episodeId: n + 1 }));
    const words = wordsFor({ open: { items: first, more: 5, unowned: 17 } });
    expect(words).toContain('🔴 20 open incidents: #1, #2, #3, #4, #5 and 12 more are unassigned ·');
    expect(wordsFor({ open: { items: [taken], more: 19, unowned: 0 } })).toContain(
      '🟡 20 open incidents, all assigned',
    );
  });

  test('says that nothing is open, and that not everything was checked', () => {
    expect(wordsFor({})).toContain('✅ No incident is open · 0 opened, 0 over\n');
    const environments = [{ name: 'staging', datedFrom: FROM, checkedTo: at(0), gaps: [GAP], unchecked: [] }];
    expect(wordsFor({ environments })).toContain(
      '⚪ No incident is known to be open · 0 opened, 0 over · ⚠️ not everything was checked',
    );
    const unchecked = wordsFor({
      environments: [{ name: 'staging', datedFrom: FROM, checkedTo: null, gaps: [], unchecked: [] }],
    });
    expect(unchecked).toContain('staging not checked yet');
    expect(unchecked).not.toContain('✅');
  });
});

describe('a handover', () => {
  test('shows since when incidents are open, their failures, who has them, and their notes', () => {
    const note = { ...ann, text: 'waiting for their support' };
    const three = open(
      aRow({ note }),
      aRow({
        episodeId: 2,
        acknowledged: ann,
        tally: aTally({ firstSeen: at(-90_000) }),
        state: { is: 'quiet', since: at(192) },
      }),
      aRow({ episodeId: 3, outageSince: at(-90_000) }),
    );
    expect(wordsFor({ open: three })).toContain(
      [
        'Still open',
        '🔴 Email · SendGrid — order-shipped · #1: ⚠️ unassigned · since 2026-03-04 12:00 UTC (new) · 48 failures · 47 subscribers · 📝 Ann: “waiting for their support”',
        '⚪ Email · SendGrid — order-shipped · #2: 👀 Ann acknowledged it 2026-03-04 11:50 UTC · since 2026-03-03 11:00 UTC · 48 failures · 47 subscribers · no failures since 2026-03-04 12:03 UTC',
        '🔴 Email · SendGrid — order-shipped · #3: ⚠️ unassigned · since 2026-03-03 11:00 UTC · 48 failures since 2026-03-04 12:00 UTC · 47 subscribers',
      ].join('\n'),
    );
  });

  test('marks what began in its range by the clock of the service, which dates it', () => {
    const datedFrom = at(-8 * 3_600 - 540);
    const environments = aHandover().environments.map((one) => ({ ...one, datedFrom }));
    const since = (seconds: number) => wordsFor({ environments, open: open(aRow({ outageSince: at(seconds) })) });
    expect(since(-8 * 3_600 - 540)).toContain(' (new)');
    expect(since(-8 * 3_600 - 541)).not.toContain(' (new)');
  });

  test('shows what helped last time if there is no note yet', () => {
    const taken = { acknowledgedBy: null, assignedTo: null, resolvedBy: null };
    const lastTime = { from: at(-90_000), to: at(-80_000), taken, note: { ...ann, text: 'key rotated' }, since: 0 };
    expect(wordsFor({ open: open(aRow({ lastTime })) })).toContain('47 subscribers · 📝 Ann, last time: “key rotated”');
  });

  test('shows what is over, and who resolved it', () => {
    const over = some(
      aRow({ state: { is: 'resolved', at: at(200), by: 'U0BEN' }, relapses: 1 }),
      aRow({ episodeId: 2, state: { is: 'resolved', at: at(200), by: null } }),
      aRow({ episodeId: 3, state: { is: 'quiet', since: at(0) } }),
    );
    const words = wordsFor({ over: { ...over, more: 4 } });
    expect(words).toContain(
      '✅ Email · SendGrid — order-shipped · relapsed · #1: 2026-03-04 12:00 UTC – 2026-03-04 12:03 UTC (new) ·',
    );
    expect(words).toContain('resolved by Ben');
    expect(words).toContain('· recovered\n');
    expect(words).toContain('· no failures since, not resolved\n');
    expect(words).toContain('and 4 more: /notif history since:33h env:production');
    const both = [PRODUCTION, STAGING].map(({ name }) => ({
      name,
      datedFrom: FROM,
      checkedTo: at(0),
      gaps: [],
      unchecked: [],
    }));
    expect(wordsFor({ over: { ...over, more: 4 }, environments: both })).toContain(
      'and 4 more: /notif history since:33h, with env: for each environment',
    );
  });

  test.each([
    [8 * 3_600_000 + 20, '32h'],
    [30 * 86_400_000 + 300_000, '720h'],
    [30 * 60_000, '25h'],
  ])('names a command for all that is over after %s ms, whose last failure may be a day older', (ms, since) => {
    const to = at(0);
    const range = { from: new Date(to.getTime() - ms), to };
    expect(wordsFor({ range, over: { items: [], more: 4 } })).toContain(`/notif history since:${since} env:production`);
  });

  test('shows changes, mutes, tests, and what was not checked', () => {
    const what = { kind: 'deploy', name: 'checkout 2.3', by: null } as const;
    const words = wordsFor({
      changes: {
        items: [{ id: 1, environment: 'production', at: at(-60), after: null, what }],
        hasMore: true,
        unknown: ['staging'],
      },
      mutes: some(
        { channel: 'C0ONCALL', muted: { watches: 1 }, by: 'U0ANN', until: at(3_600) },
        {
          channel: null,
          muted: { environment: 'production', channel: 'email', provider: 'ses' },
          by: 'U0CAT',
          until: at(7_200),
        },
      ),
      tests: some(
        { environment: 'production', workflow: 'order-shipped', at: at(-60), accepted: 3 },
        { environment: 'production', workflow: 'order-shipped', at: at(-60), accepted: null },
      ),
      environments: [
        {
          name: 'staging',
          datedFrom: FROM,
          checkedTo: at(295),
          gaps: [GAP, { ...GAP, unchecked: [], closedAt: at(0) }],
          unchecked: [],
        },
      ],
    });
    expect(words).toContain(
      '🚀 Deploy: checkout 2.3, 2026-03-04 11:59 UTC\nand more: /notif changes since:9h env:staging',
    );
    expect(words).toContain('changes of integrations not known yet of staging');
    expect(words).toContain('🔕 a watch in <#C0ONCALL> until 2026-03-04 13:00 UTC, muted by Ann');
    expect(words).toContain('🔕 Email · SES in a private channel until 2026-03-04 14:00 UTC, muted by somebody');
    expect(words).toContain('🧪 order-shipped, 3 events, 2026-03-04 11:59 UTC');
    expect(words).toContain("🧪 order-shipped, whether it was sent isn't known");
    expect(words).toContain(
      "⚠️ staging 2026-03-04 10:00 UTC – 2026-03-04 11:00 UTC: the API key was refused, or doesn't allow this · still to be checked: 2026-03-04 10:30 UTC",
    );
    expect(words).toContain(
      "✅ staging 2026-03-04 10:00 UTC – 2026-03-04 11:00 UTC: the API key was refused, or doesn't allow this · checked since",
    );
  });

  test('gives no all-clear over time that was not checked, also without a gap, and lists it', () => {
    const unchecked = [{ from: at(-3 * 3_600), to: at(300) }];
    const words = wordsFor({
      environments: [{ name: 'production', datedFrom: FROM, checkedTo: at(-3 * 3_600), gaps: [], unchecked }],
    });
    expect(words).toContain('⚪ No incident is known to be open · 0 opened, 0 over · ⚠️ not everything was checked');
    expect(words).toContain(
      'Gaps in what was checked\n⚠️ production 2026-03-04 09:00 UTC – 2026-03-04 12:05 UTC: not checked',
    );
    expect(words).not.toContain('✅');
    expect(words).toContain('no tests · production checked to 09:00:00 UTC\n');
    expect(words).not.toContain('no gaps');
  });

  test('shows as of when it is true, and which parts are empty', () => {
    expect(wordsFor({})).toContain(
      'No changes, no mutes that end soon, no tests, no gaps · production checked to 12:04:55 UTC',
    );
  });

  test("names each line's environment if there are several", () => {
    const environments = [PRODUCTION, STAGING].map(({ name }) => ({
      name,
      datedFrom: FROM,
      checkedTo: at(0),
      gaps: [],
      unchecked: [],
    }));
    expect(wordsFor({ environments, open: open(aRow()) })).toContain('47 subscribers · production\n');
  });

  test('mentions nobody, even when shared', () => {
    const change = {
      open: open(aRow({ acknowledged: ann })),
      mutes: some({ channel: null, muted: { watches: 1 }, ...ann, until: at(9) }),
    };
    expect(JSON.stringify(drawn(change))).not.toContain('<@');
    expect(buttonsOf(drawn(change))).toEqual(['Share']);
    const shared = drawn(change, { is: 'channel', sharedBy: 'U0ANN' });
    expect(buttonsOf(shared)).toEqual([]);
    expect(wordsOf(shared)).toContain('Shared by <@U0ANN>');
  });
});

describe('a handover of a bad day', () => {
  const cause = { text: HOSTILE.repeat(20), key: 'k' };
  const note = { ...ann, text: HOSTILE.repeat(9).slice(0, 200) };
  const bad = aRow({ tally: aTally({ group: { workflow: HOSTILE.repeat(3), provider: HOSTILE, cause } }), note });
  const many = (count: number) => ({ items: Array.from({ length: count }, () => bad), more: 99 });
  const handover = aHandover({
    open: { ...many(15), unowned: 15 },
    over: many(8),
    environments: [
      {
        name: 'staging',
        datedFrom: FROM,
        checkedTo: at(0),
        gaps: Array.from({ length: 30 }, () => GAP),
        unchecked: [],
      },
    ],
  });

  test('fits into a message', () => {
    const message = handoverMessage(handover, OPTIONS, { request: REQUEST, reader: REQUESTER });
    expectFit(message);
    const shown = wordsOf(message).match(/⚠️ unassigned/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(2);
    expect(wordsOf(message)).toContain(`and ${15 - shown + 99} more: the Home tab lists all`);
  });
});

test('a request for a handover survives a round trip through a button', () => {
  const request = fc.record({
    since: fc.date({ min: new Date(0), max: at(1e9), noInvalidDate: true }),
    environments: fc.array(fc.string(), { maxLength: 5 }),
  });
  fc.assert(fc.property(request, (one) => void expect(parseRequest(writeRequest(one))).toEqual(one)));
  expect(parseRequest('v1|soon')).toBeNull();
});
