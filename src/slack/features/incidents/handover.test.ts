import { describe, expect, test } from 'vitest';
import { openGap } from '../../../coverage/gaps.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { act } from '../../../incidents/verbs.ts';
import { covered, failureOf, at as minutes, recordFailures, stretch } from '../../../store/examples.testing.ts';
import { describeStore } from '../../../store/store.testing.ts';
import { USUAL_SETTINGS } from '../../../watches/settings.ts';
import { madeWatch, muteUntil, watchCtx } from '../../../watches/watches.testing.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import {
  anIncident,
  at,
  buttonsOf,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  STAGING,
  wordsOf,
} from '../../slack.testing.ts';
import { type Handover, handoverIn, handoverMessage } from './handover.ts';

const WHOLE_MUTE = { provider: null, workflow: null, isPlanned: false, from: NOON };

const FROM = at(-8 * 3_600);
const none = { items: [], more: 0 };
const some = <Item>(...items: readonly Item[]) => ({ items, more: 0 });
const FIRST = { from: at(-90_000), to: at(-89_400) };
const ann = { actor: 'U0ANN', at: at(-600) };

function aHandover(change: Partial<Handover> = {}): Handover {
  return {
    range: { from: FROM, to: at(300) },
    environments: [{ environment: PRODUCTION, checkedTo: at(295), missing: [] }],
    open: { ...none, unowned: 0 },
    resolved: none,
    mutes: [],
    ...change,
  };
}

const drawn = (change: Partial<Handover>) => {
  const message = handoverMessage(aHandover(change), 'handover');
  expectFit(message);
  expect(buttonsOf(forEveryone(message))).toEqual([]);
  return message;
};
const wordsFor = (change: Partial<Handover>) => wordsOf(drawn(change));

const staging = (change: Partial<Handover['environments'][number]> = {}) => [
  { environment: STAGING, checkedTo: at(295), missing: [], ...change },
];

describe('the headline of a handover', () => {
  test('counts open incidents, and those that nobody has', () => {
    const taken = anIncident({ id: 3, assignedTo: 'U0BEN' });
    const headline = (items: IncidentNow[], more: number, unowned: number) =>
      wordsFor({ open: { items, more, unowned } });
    expect(headline([anIncident(), taken], 18, 3)).toContain('🔴 20 open incidents, 3 unassigned · 0 resolved');
    const calm = anIncident({ state: { is: 'recovering', since: at(192) } });
    expect(headline([calm], 0, 1)).toContain('⚪ 1 open incident, 1 unassigned · 0 resolved');
    expect(headline([taken], 0, 0)).toContain('🟡 1 open incident, assigned or acknowledged ·');
    expect(headline([taken, taken], 0, 0)).toContain('🟡 2 open incidents, all assigned or acknowledged ·');
  });

  test('gives an all-clear only if everything was checked', () => {
    expect(wordsFor({})).toContain('✅ No open incidents · 0 resolved\n');
    const unknown = '⚪ No known open incidents · 0 resolved · ⚠️ not everything was checked';
    const missing = [{ from: at(-3 * 3_600), to: at(300) }];
    const words = wordsFor({ environments: staging({ checkedTo: null, missing }) });
    expect(words).toContain(unknown);
    expect(words).toContain('Not checked\n⚠️ staging 2026-03-04 09:00 UTC – 12:05 UTC');
  });
});

describe('a handover', () => {
  test('shows since when incidents are open, their failures, who has them, and their notes', () => {
    const note = { ...ann, text: 'waiting for their support' };
    const calm = { is: 'unconfirmed', since: at(192) } as const;
    const label = { kind: 'context', value: 'tenant:acme' } as const;
    const shared = { label, events: 48, total: 48, isOfNewest: false, usually: 0.2 };
    const items = [
      anIncident({ note }),
      anIncident({ id: 2, acknowledged: ann, state: calm }),
      anIncident({ id: 3, assignedTo: 'U0BEN', outbreak: 2, earlier: [FIRST], failuresInAll: 70, shared }),
    ];
    expect(wordsFor({ open: { items, more: 0, unowned: 1 } })).toContain(
      [
        'Open',
        '🔴 Email via SendGrid fails: API key refused (401) · 48 of 60 · 47 people · ⚠️ unassigned · since 2026-03-04 12:00 UTC · #1',
        '📝 “waiting for their support” <@U0ANN>',
        '⚪ Email via SendGrid failed: API key refused (401) · 48 failures · 47 people · since 2026-03-04 12:00 UTC · #2',
        '⚪ no failures since 12:03 UTC · not enough traffic to confirm recovery',
        '👀 <@U0ANN> 11:50 UTC',
        '🔴 Email via SendGrid fails again: API key refused (401) · 48 of 60 · 70 in all · 47 people · since 2026-03-04 12:00 UTC · before: 2026-03-03 11:00 UTC – 11:10 UTC · 🏷️ all of them tenant:acme (20% of traffic) · #3',
        '🙋 <@U0BEN>',
      ].join('\n'),
    );
  });

  test('shows what is resolved, who resolved it, and why', () => {
    const resolved = some(
      anIncident({ state: { is: 'resolved', at: at(200), actor: 'U0BEN' }, note: { ...ann, text: 'key rotated' } }),
      anIncident({ id: 2, state: { is: 'resolved', at: at(200), actor: null } }),
    );
    const words = wordsFor({ resolved: { items: [...resolved.items], more: 4 } });
    expect(words).toContain(
      '✅ resolved by <@U0BEN> at 12:03 UTC · failed 12:00 UTC–12:03 UTC\n📝 “key rotated” <@U0ANN>',
    );
    expect(words).toContain('\n✅ resolved at 12:03 UTC');
    expect(words).toContain('and 4 more: /notif history');
  });

  test('shows to when each environment was checked, and mutes', () => {
    const words = wordsFor({
      mutes: [
        { channel: 'C0ONCALL', incident: null, watches: 1, actor: 'U0ANN', ...WHOLE_MUTE, until: at(3_600) },
        {
          channel: null,
          incident: { id: 7, environment: 'production', channel: 'email', provider: 'ses' },
          watches: 1,
          actor: 'U0CAT',
          ...WHOLE_MUTE,
          until: at(7_200),
        },
      ],
      environments: staging({ checkedTo: at(390) }),
    });
    expect(words).toContain('🔕 1 watch in <#C0ONCALL> until 2026-03-04 13:00 UTC, muted by <@U0ANN>');
    expect(words).toContain(
      '🔕 #7 Email · SES of production in a private conversation until 2026-03-04 14:00 UTC, muted by <@U0CAT>',
    );
    expect(words).toContain('staging checked to 12:05:00 UTC');
  });

  test('names what is silent, as an incident that somebody can have', () => {
    const silence = {
      kind: 'silence',
      headline: null,
      cause: { text: 'pauses usually end within 2 min', key: 'k' },
    } as const;
    const items = [
      anIncident({ ...silence, channel: '', provider: null, attempts: null, failures: 1, subscribers: 0 }),
    ];
    expect(wordsFor({ open: { items, more: 0, unowned: 1 } })).toContain(
      'Open\n🔇 order-shipped is silent · no event since 12:00 UTC, pauses usually end within 2 min · ⚠️ unassigned · #1\n',
    );
  });

  test("names each incident's environment if there are several, and those furthest behind", () => {
    const environments = Array.from({ length: 7 }, (_, n) => ({
      environment: { ...PRODUCTION, label: `tenant-${n + 1}` },
      checkedTo: n === 6 ? null : at(n),
      missing: [],
    }));
    const words = wordsFor({ environments, open: { ...some(anIncident()), unowned: 1 } });
    expect(words).toContain('since 2026-03-04 12:00 UTC · tenant-1 · #1\n');
    expect(words).toContain('tenant-7 not checked yet · tenant-1 checked to 12:00:00 UTC');
    expect(words).toContain('· 2 more\n');
  });
});

const cause = { text: HOSTILE.repeat(20), key: 'k' };
const note = { ...ann, text: HOSTILE.repeat(9).slice(0, 200) };
const bad = anIncident({ workflow: HOSTILE.repeat(3), provider: HOSTILE, cause, note });
const many = (count: number) => ({ items: Array.from({ length: count }, () => bad), more: 99 });
const handover = aHandover({
  open: { ...many(15), unowned: 15 },
  resolved: many(8),
  environments: Array.from({ length: 30 }, () => ({
    environment: STAGING,
    checkedTo: at(0),
    missing: Array.from({ length: 9 }, (_, n) => ({ from: at(-600 * n - 300), to: at(-600 * n) })),
  })),
});

test('a handover of a bad day fits into a message', () => {
  const message = handoverMessage(handover, 'handover');
  expectFit(message);
  const [open = ''] = wordsOf(message).split('Resolved\n');
  const shown = open.match(/⚠️ unassigned/g)?.length ?? 0;
  expect(shown).toBeGreaterThan(2);
  expect(open).toContain(`and ${15 - shown + 99} more: /notif history`);
});

const hours = (count: number) => minutes(count * 60);

describeStore('A handover', (store) => {
  const write = async () => {
    await covered(store(), { from: hours(-48), to: hours(0) });
    const ctx = {
      db: store().db,
      channels: { isPublic: async (channel: string) => channel === 'C0PUBLIC' },
      now: () => hours(0),
    };
    return handoverIn(ctx, [PRODUCTION], hours(-8));
  };

  test('names the open incidents, counts those that nobody has, and names no private channel', async () => {
    await recordFailures(store(), minutes(-30), [failureOf('a'), failureOf('b', { provider: 'ses' })]);
    await act(watchCtx(store().db, minutes(-20)), { incidentId: 1 }, { what: 'acknowledged' }, 'U0ANN');
    for (const channel of ['C0PUBLIC', 'C0PRIVATE']) {
      const { id } = await madeWatch(
        store().db,
        { channel, createdBy: 'U0ANN', settings: USUAL_SETTINGS },
        minutes(-60),
      );
      await muteUntil(watchCtx(store().db, minutes(-10)), id, null, { actor: 'U0ANN', until: hours(1) });
    }
    const { open, mutes } = await write();
    expect([open.items.length, open.unowned]).toEqual([2, 1]);
    expect(mutes.map(({ channel }) => channel)).toEqual(expect.arrayContaining(['C0PUBLIC', null]));
  });

  test('names the time in gaps as not checked', async () => {
    await recordFailures(store(), hours(-9), []);
    const gap = stretch(hours(-3), hours(-2));
    await store().db.transaction((tx) => openGap(tx, 'production', gap, minutes(-0.5)));
    const { environments } = await write();
    expect(environments).toMatchObject([{ missing: [{ from: gap.from, to: gap.to }] }]);
  });
});
