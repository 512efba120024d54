import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainCause } from '../../../causes/explain-cause.ts';
import { ALL_FAILURES, filterBy } from '../../../failures/filter.ts';
import { emptySummary, type FailureSummary } from '../../../failures/summary.ts';
import type { Freshness } from '../../../health/check.ts';
import { InputError, ServiceError } from '../../../lib/errors.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import type { FailuresFound } from '../../../lookups/failures.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { type FailureRequest, parseRequest, writeRequest } from '../../kit/failure-request.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { sendable } from '../../kit/sendable.ts';
import {
  anIncident,
  aTally,
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  wordsOf,
} from '../../slack.testing.ts';
import { parseFailureRequest } from './listeners.ts';
import { type FailuresOptions, failuresMessage, NEXT } from './message.ts';

const HOUR = 3600;
const NOW = at(HOUR);
const HORIZON_MS = 72 * HOUR * 1000;
const ASKED = { from: NOON, to: NOW };

const CURRENT: Freshness = { asOf: at(HOUR - 10), isCurrent: true };

const REQUEST: FailureRequest = { environment: 'production', filter: ALL_FAILURES, ...ASKED, offset: 0 };

function found(summary: Partial<FailureSummary>, change: Partial<FailuresFound> = {}): FailuresFound {
  return {
    environment: PRODUCTION,
    filter: ALL_FAILURES,
    range: ASKED,
    freshness: CURRENT,
    read: ASKED,
    since: null,
    gaps: { unchecked: [], givenUp: [] },
    trouble: null,
    summary: { ...emptySummary(), eventsChecked: 4_210, workflowEvents: new Map([['order-shipped', 400]]), ...summary },
    ...change,
  };
}

function answer(
  what: FailuresFound,
  change: { request?: FailureRequest; incidents?: FailuresOptions['incidents'] } = {},
) {
  return failuresMessage(what, {
    request: REQUEST,
    now: NOW,
    horizonMs: HORIZON_MS,
    explainCause,
    incidents: new Map(),
    ...change,
  });
}

const SOME: Partial<FailureSummary> = {
  tallies: [
    aTally(),
    aTally({ verdict: 'undeliverable', kind: { announcement: 'undeliverable', key: '00000000000000cc' } }),
  ],
  counts: { failed: 48, bounced: 13, undeliverable: 9 },
  failedEvents: 61,
  bySeverity: new Map([
    ['low', 20],
    ['high', 41],
  ]),
  critical: 3,
};

test.each([
  [1, '1 warning'],
  [1_204, '1,204 warnings'],
])('the answer about failures counts %i warnings as %s', (warning, words) => {
  expect(wordsOf(answer(found({ ...SOME, counts: { ...SOME.counts, warning } })))).toContain(` · ${words}\n`);
});

test('what is only counted is listed, too, if its verdict is asked for', () => {
  const skipped = aTally({
    verdict: 'undeliverable',
    failures: 9,
    kind: { announcement: 'undeliverable', key: '00000000000000cc', workflow: 'invoice', workflowName: 'Invoice' },
  });
  const asked = (change: Partial<FailureSummary>, ...verdicts: string[]) =>
    wordsOf(answer(found(change, { filter: { ...ALL_FAILURES, verdicts } }))).split('\n');

  const alone = asked({ tallies: [skipped], counts: { undeliverable: 9 } }, 'undeliverable');
  expect(alone[0]).toBe('production · last hour · ⚪ 9 undeliverable from 1 cause');
  expect(alone).toContain('🟠 Email · SendGrid — invoice');
  expect(alone.join()).toContain('9 undeliverable in 3 min');
  expect(alone.join()).toContain('Undeliverable: The provided authorization grant');

  const both = asked({ ...SOME, tallies: [aTally(), skipped] }, 'failed', 'undeliverable');
  expect(both[0]).toBe('production · last hour · 🔴 61 failures, 9 undeliverable from 2 causes · 1.4% of 4,210 events');
  expect(both).toContain('🔴 Email · SendGrid — order-shipped');
  expect(both).toContain('🟠 Email · SendGrid — invoice');

  const warned = (key: string, workflow: string) =>
    aTally({ verdict: 'warning', kind: { announcement: 'warning', key, workflow, workflowName: workflow } });
  const several = asked({ tallies: [warned('a', 'x'), warned('b', 'y')], counts: { warning: 96 } }, 'warning');
  expect(several[0]).toBe('production · last hour · ⚪ 96 warnings from 1 cause');
  expect(several).toContain('⚠️ Email · SendGrid warned in 2 workflows');
});

test('the answer about failures gives no percentage of fewer than five events', () => {
  const [first = ''] = wordsOf(answer(found({ ...SOME, eventsChecked: 1, failedEvents: 1 }))).split('\n');
  expect(first).toMatch(/ · 1 of 1 event$/);
  const one = { tallies: [aTally({ failures: 1, events: 1 })], workflowEvents: new Map([['order-shipped', 1]]) };
  expect(wordsOf(answer(found(one)))).toContain(' · 1 of its 1 event · ');
});

describe('the failures in a time range', () => {
  test('have no percentage if more events failed than were created', () => {
    expect(wordsOf(answer(found({ ...SOME, eventsChecked: 60 }))).split('\n')[0]).toBe(
      'production · last hour · 🔴 61 failures from 1 cause',
    );
  });

  test('are counted, then listed by cause, with exactly what was checked', () => {
    const message = answer(found({ ...SOME, unreadable: 2 }));
    expect(wordsOf(message).split('\n')).toEqual([
      'production · last hour · 🔴 61 failures from 1 cause · 1.4% of 4,210 events',
      '🔴 48 failed · 🟠 13 bounced',
      'Events: 3 critical · 41 of severity high · 20 of severity low',
      'Not alerted: 9 undeliverable',
      '🔴 Email · SendGrid — order-shipped',
      'Failed: The provided authorization grant is invalid (401)',
      "💡 SendGrid refused the API key: it's wrong, deleted or expired · Our credentials · send again once fixed",
      '48 failures in 3 min · 12% of its events · 47 subscribers · 12:00:12 UTC – 12:03:12 UTC',
      'e.g. txn_8f2c for user-0042',
      'Example',
      'Checked 2026-03-04 12:00 UTC to 2026-03-04 13:00 UTC, as of 12:59:50 UTC · 4,210 events · 2 unreadable',
      'Earlier period',
      'Refresh',
      'Chart',
      'Share',
    ]);
    expectFit(message);
  });

  test('give the all-clear if everything was checked after the question', () => {
    const words = wordsOf(answer(found({})));
    expect(words).toContain(
      '✅ No failures in production from 2026-03-04 12:00 UTC to 2026-03-04 13:00 UTC (4,210 events checked).',
    );
  });

  test('name the days of a time range that readers have no longer in mind', () => {
    const past = failuresMessage(found({}), {
      request: REQUEST,
      now: at(48 * HOUR),
      horizonMs: HORIZON_MS,
      explainCause,
      incidents: new Map(),
    });
    const day = (at: Date) => `<!date^${at.getTime() / 1_000}^{date_short_pretty} {time}|`;
    expect(past.text).toContain(`from ${day(NOON)}`);
    expect(past.text).toContain(`to ${day(at(HOUR))}`);
    expect(answer(found({})).text).not.toContain('date_short_pretty');
  });

  test.each<[string, Partial<FailuresFound>, string]>([
    ['the last check began before the question', { freshness: { ...CURRENT, isCurrent: false } }, 'as of 12:59:50 UTC'],
    [
      'the newest minutes were not checked',
      { read: { from: NOON, to: at(HOUR - 60) } },
      '⏳ Not checked yet: 12:59:00 UTC – 13:00:00 UTC',
    ],
    ["an event couldn't be read", { summary: { ...emptySummary(), unreadable: 1 } }, '1 unreadable'],
  ])('give no all-clear if %s', (_, change, said) => {
    const message = answer(found({}, change));
    expect(wordsOf(message)).toContain('⚪ No failures found in production');
    expect(wordsOf(message)).toContain(said);
    expect(wordsOf(message) + message.text).not.toContain('✅');
  });

  test('say since when Notif has checked events if that is later, and offer nothing earlier', () => {
    const read = { from: at(2_460), to: NOW };
    const message = answer(found(SOME, { read, since: read.from }));
    expect(wordsOf(message)).toContain('Notif has checked events since 2026-03-04 12:41 UTC');
    expect(wordsOf(message)).toContain('Older events: /notif events until:2026-03-04T12:41Z env:production');
    expect(buttonsOf(message)).not.toContain('Earlier period');
    const before = wordsOf(answer(found({ eventsChecked: 0 }, { read: { from: NOW, to: NOW }, since: at(HOUR + 60) })));
    expect(before).toContain('nothing was checked so far back: Notif has checked events since 2026-03-04 13:01 UTC');
  });

  test('claim nothing while no part of the time has been checked', () => {
    const message = answer(
      found({ eventsChecked: 0 }, { read: { from: NOON, to: NOON }, freshness: { ...CURRENT, isCurrent: false } }),
    );
    expect(wordsOf(message)).toContain('⚠️ production · nothing was checked yet');
    expect(wordsOf(message)).toContain('⏳ Not checked yet: 12:00:00 UTC – 13:00:00 UTC');
    expect(wordsOf(message) + message.text).not.toMatch(/No failures|0 events|Checked 2026/);
  });

  test('show the problem that prevented checking, and claim nothing', () => {
    const trouble = new ServiceError('production', 'listEvents', { kind: 'key-refused', status: 401 });
    const words = wordsOf(answer(found({ eventsChecked: 0 }, { trouble, read: { from: NOON, to: NOON } })));
    expect(words).toContain('⚠️ production · nothing was checked yet');
    expect(words).toContain('the API key was refused (401)');
    expect(words).toContain('Check NOTIF_PRODUCTION_API_KEY.');
    expect(words).not.toContain('No failures');
  });

  test('show which parts of the time are gaps, and claim no more than was checked', () => {
    const gaps = { unchecked: [{ from: at(600), to: at(1_200) }], givenUp: [{ from: at(60), to: at(61) }] };
    const words = wordsOf(answer(found({}, { gaps })));
    expect(words).toContain('⚠️ No failures found in production');
    expect(words).toContain("Part of the time wasn't checked.");
    expect(words).toContain('⏳ Not checked yet: 12:10:00 UTC – 12:20:00 UTC');
    expect(words).toContain('⚠️ Not recovered: 12:01:00 UTC – 12:01:01 UTC');
  });

  test('include stuck steps', () => {
    expect(wordsOf(answer(found({ tallies: [aTally()], counts: { stuck: 2 } })))).toContain(
      '🔴 2 failures from 1 cause',
    );
  });

  test('show that there are more causes than are listed', () => {
    expect(wordsOf(answer(found({ ...SOME, leftOut: 112 })))).toContain('112 rarer causes left out');
  });

  test('show the filters that were applied', () => {
    const filter = { ...ALL_FAILURES, workflows: ['order-shipped', 'launch'], channels: ['email'] };
    expect(wordsOf(answer(found(SOME, { filter })))).toContain('Only workflow order-shipped or launch, channel email');
  });

  test('are shown in pages of ten', () => {
    const tallies = Array.from({ length: 23 }, (_, n) => aTally({ kind: { cause: { text: `${n}`, key: `${n}` } } }));
    const first = answer(found({ ...SOME, tallies }));
    expect(wordsOf(first)).toContain('Causes 1–10 of 23');
    expect(buttonsOf(first).slice(-5)).toEqual(['Next causes', 'Earlier period', 'Refresh', 'Chart', 'Share']);
    const last = answer(found({ ...SOME, tallies }), { request: { ...REQUEST, offset: 20 } });
    expect(wordsOf(last)).toContain('Causes 21–23 of 23');
    expect(buttonsOf(last).slice(-5)).toEqual(['Previous causes', 'Earlier period', 'Refresh', 'Chart', 'Share']);
    expectFit(first);
  });

  test('are in one page each, whatever the size of their rows', () => {
    const sizes = fc.array(fc.record({ workflows: fc.integer({ min: 1, max: 6 }), length: fc.nat(250) }), {
      minLength: 1,
      maxLength: 16,
    });
    const filters = fc.constantFrom([], ['order-shipped'], Array(9).fill('0b8f7a52-7a1e-4f0c-9c43-000000000000'));
    fc.assert(
      fc.property(sizes, filters, fc.boolean(), (rows, workflows, areOpen) => {
        const tallies = rows.flatMap((row, cause) => talliesFor(row, cause));
        const incidents = new Map(rows.map((_, cause) => [cause + 1, anIncident({ id: cause + 1 })]));
        const filter = { ...ALL_FAILURES, workflows };
        const what = found({ ...SOME, tallies }, { filter });
        const pages = pagesOf(what, { request: { ...REQUEST, filter }, ...(areOpen ? { incidents } : {}) });
        const shown = pages.flatMap((page) => wordsOf(page).match(/(?<=: cause-)\d+/g) ?? []);
        expect(shown.map(Number)).toEqual(rows.map((_, cause) => cause));
        for (const page of pages) expectFit(page);
      }),
    );
  });

  test('have room for their rows beside a long filter, whose buttons are left out', async () => {
    const ids = Array.from({ length: 48 }, (_, n) => `0b8f7a52-7a1e-4f0c-9c43-${`${n}`.padStart(12, '0')}`);
    const filter = { ...ALL_FAILURES, subscribers: ids };
    const tallies = Array.from({ length: 16 }, (_, cause) => talliesFor({ workflows: 1, length: 40 }, cause)).flat();
    const incidents = new Map(tallies.map((_, cause) => [cause + 1, anIncident({ id: cause + 1 })]));
    const request = { ...REQUEST, filter, offset: 3 };
    const page = sendable(answer(found({ ...SOME, tallies }, { filter }), { request, incidents }));
    expectFit(page);
    expect(wordsOf(page).match(/: cause-/g)?.length).toBeGreaterThan(5);
  });

  function talliesFor({ workflows, length }: { workflows: number; length: number }, cause: number) {
    return Array.from({ length: workflows }, (_, n) =>
      aTally({
        incidentId: cause + 1,
        kind: {
          key: `${cause}-${n}`,
          workflow: `workflow-${n}`,
          cause: { text: `cause-${cause} ${'x'.repeat(length)}`, key: `${cause}` },
        },
      }),
    );
  }

  function pagesOf(
    what: FailuresFound,
    change: Parameters<typeof answer>[1] & { request: FailureRequest },
  ): MessageContent[] {
    const page = answer(what, change);
    const next = parseRequest(buttonValue(page, NEXT) ?? '');
    return next === null ? [page] : [page, ...pagesOf(what, { ...change, request: next })];
  }

  test('are shared with the name of the person who shared them, without buttons for one person', () => {
    const message = forEveryone(answer(found(SOME)), 'U0ANN');
    expect(wordsOf(message)).toContain('Shared by <@U0ANN>');
    expect(buttonsOf(message)).toEqual(['Example']);
  });

  test('have the actions of an incident once for all its workflows, and show who has it', () => {
    const tallies = ['a', 'b'].map((workflow) => aTally({ incidentId: 17, kind: { workflow, key: workflow } }));
    const incident = anIncident({ id: 17, acknowledged: { by: 'U0ANN', at: NOON } });
    const incidents = new Map([[17, incident]]);
    const message = answer(found({ tallies }), { incidents });
    expectFit(message);
    expect(wordsOf(message).match(/Incident #17 · 👀 <@U0ANN> 12:00 UTC/g)).toHaveLength(1);
    expect(wordsOf(message).match(/^Unacknowledge$/gm)).toHaveLength(1);
    expect(buttonsOf(message).filter((label) => label === 'Example')).toHaveLength(1);
    expect(wordsOf(forEveryone(message, 'U0BEN'))).not.toContain('U0ANN');
  });

  test('say a cause and its meaning once, above its workflows', () => {
    const tallies = Array.from({ length: 12 }, (_, n) =>
      aTally({ critical: n === 0, verdict: n === 0 ? 'bounced' : 'failed', kind: { workflow: `workflow-${n}` } }),
    );
    const workflowEvents = new Map([
      ['workflow-0', 400],
      ['workflow-1', 48],
    ]);
    const message = answer(found({ ...SOME, tallies, workflowEvents }));
    const words = wordsOf(message).split('\n');
    expect(words[0]).toContain('61 failures from 1 cause');
    expect(words.slice(4, 9)).toEqual([
      '🔴 Email · SendGrid failed in 12 workflows',
      'Failed: The provided authorization grant is invalid (401)',
      "💡 SendGrid refused the API key: it's wrong, deleted or expired · Our credentials · send again once fixed",
      'workflow-0 · critical: 48 failures in 3 min · 12% of its events · 47 subscribers · 12:00:12 UTC – 12:03:12 UTC',
      'workflow-1: 48 failures in 3 min · 100% of its events · 47 subscribers · 12:00:12 UTC – 12:03:12 UTC',
    ]);
    expect(words.slice(17, 20)).toEqual(['2 more workflows', 'e.g. txn_8f2c for user-0042', 'Example']);
  });

  test('show their incident whole, whatever the names: fewer workflows have a line, and the others are counted', () => {
    const tallies = Array.from({ length: 12 }, (_, n) =>
      aTally({ incidentId: 17, kind: { key: `${n}`, workflow: `workflow-${n} ${'&'.repeat(75)}` } }),
    );
    const incident = anIncident({ id: 17, acknowledged: { by: 'U0ANN', at: NOON } });
    const incidents = new Map([[17, incident]]);
    const message = answer(found({ ...SOME, tallies }), { incidents });
    expectFit(message);
    expect(wordsOf(message)).toMatch(/^Incident #17 · 👀 <@U0ANN> .* UTC$/m);
    const shown = wordsOf(message).match(/^workflow-\d+ .*12:03:12 UTC$/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(2);
    expect(wordsOf(message)).toContain(`${12 - shown} more workflows`);
  });

  test("have no buttons for times that Notif doesn't check", () => {
    const now = new Date(NOON.getTime() + HORIZON_MS);
    expect(
      buttonsOf(
        failuresMessage(found(SOME), {
          request: REQUEST,
          now,
          horizonMs: HORIZON_MS,
          explainCause,
          incidents: new Map(),
        }),
      ),
    ).not.toContain('Earlier period');
  });

  test('fit Slack’s limits with the longest rows and filters', () => {
    const text = HOSTILE.repeat(30);
    const tallies = Array.from({ length: 10 }, () =>
      aTally({ severity: text, kind: { workflow: text, cause: { text, key: 'k' } } }),
    );
    const names = Array.from({ length: 9 }, () => text);
    const filter = filterBy(() => names);
    expectFit(answer(found({ ...SOME, tallies }, { filter })));
  });
});

describe('the request', () => {
  const read = (text: string) => {
    const { words, filters } = parseCommandText(text);
    return parseFailureRequest(
      { words, filters, environment: PRODUCTION, timeZone: 'UTC' },
      NOW,
      HORIZON_MS,
      '/notif failures',
    );
  };

  test('is the last hour of everything by default', () => {
    expect(read('')).toEqual(REQUEST);
  });

  test('is narrowed by filters, with names as people write them', () => {
    expect(read('channel:In-App severity:High since:2h')).toMatchObject({
      filter: { channels: ['in_app'], severities: ['high'] },
      from: at(-HOUR),
      to: NOW,
    });
    expect(read('topic:launch context:tenant:acme email:ann@people.example').filter).toEqual({
      ...ALL_FAILURES,
      topics: ['launch'],
      contexts: ['tenant:acme'],
    });
  });

  test.each([
    ['verdict:bounce', 'verdict'],
    ['since:2h,3h', 'since'],
    ['since:5d', 'since'],
    [`subscriber:${Array.from({ length: 300 }, (_, n) => `user-${n}`).join(',')}`, 'filter'],
  ])("is refused if it can't be applied: %s", (text, field) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'InputError', field }));
    expect(() => read(text)).toThrow(InputError);
  });

  test('survives a round trip through a button', () => {
    const names = fc.array(fc.string());
    const request = fc.record({
      environment: fc.string(),
      filter: fc.infiniteStream(names).map((lists) => filterBy(() => lists.next().value ?? [])),
      from: fc.date({ noInvalidDate: true }),
      to: fc.date({ noInvalidDate: true }),
      offset: fc.nat(),
    });
    fc.assert(
      fc.property(request, (asked) => {
        expect(parseRequest(writeRequest(asked))).toEqual(asked);
      }),
    );
  });

  test('is null for the value of an older button', () => {
    for (const value of ['', '{}', 'v1|production', '{"v":2}', '[']) expect(parseRequest(value)).toBeNull();
  });
});
