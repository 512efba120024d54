import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainCause } from '../../../causes/explain-cause.ts';
import { ALL_FAILURES, storableId } from '../../../judging/filter.ts';
import { InputError } from '../../../lib/errors.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import type { FailuresFound, FoundCause } from '../../../lookups/failures.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import type { MessageContent } from '../../kit/message.ts';
import { type FailureRequest, failureText, parseFailureRequest } from '../../router/failure-command.ts';
import {
  aLine,
  anIncident,
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  NOON,
  PRODUCTION,
  wordsOf,
} from '../../slack.testing.ts';
import { type FailuresOptions, failuresMessage } from './failures.ts';

const HOUR = 3600;
const NOW = at(HOUR);
const ASKED = { from: NOON, to: NOW };

const CURRENT = { asOf: at(HOUR - 10), isCurrent: true };

const REQUEST: FailureRequest = { environment: 'production', filter: ALL_FAILURES, ...ASKED };

function found(...changes: readonly Partial<FailuresFound>[]): FailuresFound {
  return {
    environment: PRODUCTION,
    range: ASKED,
    freshness: CURRENT,
    read: ASKED,
    since: null,
    unchecked: [],
    givenUp: [],
    trouble: null,
    outage: null,
    causes: [],
    counts: {},
    failedEvents: 0,
    eventsChecked: 4_210,
    unreadable: 0,
    ...Object.assign({}, ...changes),
  };
}

function answer(what: FailuresFound, change: Partial<FailuresOptions> = {}) {
  return failuresMessage(what, {
    request: REQUEST,
    now: NOW,
    explainCause,
    incidents: INCIDENTS,
    ...change,
  });
}

const aCause = (change: Partial<FoundCause> = {}, ...names: readonly string[]): FoundCause => ({
  ...anIncident(),
  incidentId: 17,
  firstSeen: at(12),
  lastSeen: at(192),
  workflows: (names.length === 0 ? ['order-shipped'] : names).map((name) => ({ name, failures: 24 })),
  ...change,
});
const acknowledged = { actor: 'U0ANN', at: NOON };
const INCIDENTS = new Map(Array.from({ length: 23 }, (_, id) => [id, anIncident({ id, acknowledged })] as const));

const SOME: Partial<FailuresFound> = {
  causes: [aCause()],
  counts: { failed: 48, bounced: 13, undeliverable: 9 },
  failedEvents: 61,
};

describe('the answer about failures', () => {
  test('says how many failed of how many, then each cause, then that it is up to date', () => {
    const message = answer(found(SOME));
    expect(wordsOf(message).split('\n')).toEqual([
      '🔴 production in the last hour: 61 of 4,210 events failed (1.4%)',
      'Not alerted: 9 undeliverable',
      '🔴 Email · SendGrid: API key refused (401) · 48 failures · 47 people · order-shipped · 12:00:12 UTC – 12:03:12 UTC · #17',
      '👀 <@U0ANN> 12:00 UTC',
      "→ Our credentials: Check or replace the integration's credentials, then send again.",
      'Unacknowledge',
      'Assign…',
      'Example',
      'Mute…',
      'On call, follow…',
      'Add a note…',
      'View affected',
      'Resolve',
      'Up to date 12:59:50 UTC',
      'Chart',
      'Earlier',
      'Share',
    ]);
    expectFit(message);
  });

  test('names the largest workflows of a cause, and counts the others', () => {
    const names = Array.from({ length: 7 }, (_, n) => `workflow-${n}`);
    const words = wordsOf(answer(found({ ...SOME, causes: [aCause({ critical: true }, ...names)] })));
    expect(words).toMatch(/UTC · critical · #17\n/);
    expect(words).toContain(
      '\nworkflow-0 24 · workflow-1 24 · workflow-2 24 · workflow-3 24 · workflow-4 24 · 2 more\n',
    );
  });

  test('has a line for each resolved cause, without a next step, and no red for one that recovers', () => {
    const recovering = anIncident({ id: 1, state: { is: 'recovering', since: at(192) } });
    const resolved = anIncident({ id: 2, state: { is: 'resolved', at: at(600), actor: null }, acknowledged });
    const causes = [1, 2].map((incidentId) => aCause({ incidentId }, 'order-shipped', 'launch'));
    const incidents = new Map([recovering, resolved].map((incident) => [incident.id, incident]));
    const words = wordsOf(answer(found({ ...SOME, causes }), { incidents }));
    expect(words).toMatch(/^⚪ Email · SendGrid: API key refused \(401\)/m);
    const row = '✅ Email · SendGrid: API key refused (401) · 48 failures · 47 people · resolved at 12:10 UTC · #2';
    expect(words.slice(words.indexOf('✅')).split('\n')).toEqual(expect.arrayContaining([row]));
    expect(words.split(row)[1]).not.toMatch(/→|Example|launch/);
  });

  test('begins with the outage while the service is not read', () => {
    const gone = { problem: { kind: 'unreachable' }, uncheckedSince: at(60), gap: null } as const;
    const outage = anIncident({
      id: 10,
      kind: 'unreadable',
      outage: gone,
      cause: { text: 'unreachable', key: 'unreachable' },
    });
    const [first] = wordsOf(answer(found(SOME, { outage }))).split('\n');
    expect(first).toMatch(/^🔴 Service doesn't answer.* · #10$/);
  });

  test('gives the failures beside the events that failed if there are more', () => {
    const words = wordsOf(answer(found({ ...SOME, causes: [aCause(), { ...aCause(), failures: 118 }] })));
    expect(words).toMatch(/^🔴 production in the last hour: 61 of 4,210 events failed \(1\.4%\), 166 failures\n/);
  });

  test('gives no share of all events where a filter applies', () => {
    const filter = { ...ALL_FAILURES, workflows: ['order-shipped', 'launch'], channels: ['email'] };
    const words = wordsOf(answer(found(SOME), { request: { ...REQUEST, filter } }));
    expect(words).toMatch(/^🔴 production in the last hour: 61 events failed\n/);
    expect(words).toContain('Only workflow order-shipped or launch, channel email');
  });

  test('gives an all-clear only for what the filters match, and names the time that was asked for', () => {
    const range = { from: at(-50 * HOUR), to: at(-20 * HOUR) };
    const request = { ...REQUEST, filter: { ...ALL_FAILURES, channels: ['email'] } };
    const words = wordsOf(answer(found({}, { range }), { request }));
    const span = 'from 2026-03-02 10:00 UTC to 2026-03-03 16:00 UTC';
    expect(words).toContain(`✅ No matching failures in production ${span}.\n`);
    expect(wordsOf(answer(found({}, { range: { from: at(-23 * HOUR), to: NOW } })))).toContain(' in the last day ');
  });

  test.each<[string, Partial<FailuresFound>, string]>([
    ['the last check began before the question', { freshness: { ...CURRENT, isCurrent: false } }, 'As of 12:59:50 UTC'],
    [
      'the newest minutes were not checked',
      { unchecked: [{ from: at(HOUR - 60), to: NOW }] },
      '⏳ Not checked yet: 12:59:00 UTC – 13:00:00 UTC',
    ],
    ["an event couldn't be read", { unreadable: 1 }, '⚠️ 1 event unreadable'],
    ['a gap was given up', { givenUp: [{ from: at(60), to: at(61) }] }, '⚠️ Lost: 12:01:00 UTC – 12:01:01 UTC'],
  ])('gives no all-clear if %s', (_, change, said) => {
    const message = answer(found({}, change));
    expect(wordsOf(message)).toContain('⚪ No failures found in production');
    expect(wordsOf(message)).toContain(said);
    expect(wordsOf(message) + message.text).not.toContain('✅');
  });

  test('gives no all-clear of a transaction, which may be older', () => {
    const filter = { ...ALL_FAILURES, transactions: ['txn_77'] };
    const words = wordsOf(answer(found({}), { request: { ...REQUEST, filter } }));
    expect(words).toMatch(/^⚪ No matching failures found /);
  });

  test('calls what is asked for by a verdict that is no failure steps', () => {
    const filter = { ...ALL_FAILURES, verdicts: ['skipped-by-design'] };
    const words = wordsOf(answer(found({}), { request: { ...REQUEST, filter } }));
    expect(words).toMatch(/^⚪ No such steps found in production in the last hour\.\nOnly verdict skipped-by-design/);
  });

  test('says since when Notif has checked events if that is later', () => {
    const read = { from: at(2_460), to: NOW };
    const message = answer(found(SOME, { read, since: read.from }));
    expect(wordsOf(message)).toMatch(/^🔴 production since 2026-03-04 12:41 UTC, when checks began: 61 of /);
    expect(buttonsOf(message)).toContain('View older events');
    expect(buttonsOf(message)).not.toContain('Earlier');
    const noon = found({ read, since: read.from, range: { from: NOON, to: at(3_000) } });
    expect(wordsOf(answer(noon))).toContain('from 2026-03-04 12:41 UTC, when checks began, to 12:50 UTC');
    const before = found({ eventsChecked: 0 }, { read: { from: NOW, to: NOW }, since: at(HOUR + 60) });
    expect(wordsOf(answer(before))).toMatch(
      /^⚠️ .*nothing was checked in the last hour \(checked since 2026-03-04 13:01 UTC\)/,
    );
  });

  test('is shown in pages, and says how many causes there are', () => {
    const causes = [...INCIDENTS.keys()].map((incidentId) => aCause({ incidentId }));
    const first = answer(found({ ...SOME, causes }));
    expect(wordsOf(first)).toMatch(/^Causes 1–\d+ of 23$/m);
    expect(buttonsOf(first).slice(-4)).toEqual(['Load more', 'Chart', 'Earlier', 'Share']);
    const page = { offset: 20, cursor: '20' };
    const last = answer(found({ ...SOME, causes }), { request: { ...REQUEST, page } });
    expect(wordsOf(last)).toContain('Causes 21–23 of 23');
    expect(buttonsOf(last).slice(-3)).toEqual(['Chart', 'Earlier', 'Share']);
    expectFit(first);
  });

  test('has each cause on one page, whatever the size of their rows', () => {
    const sizes = fc.array(fc.record({ workflows: fc.integer({ min: 1, max: 6 }), length: fc.nat(250) }), {
      minLength: 1,
      maxLength: 16,
    });
    const filters = fc.constantFrom([], ['order-shipped'], Array(9).fill('0b8f7a52-7a1e-4f0c-9c43-000000000000'));
    fc.assert(
      fc.property(sizes, filters, (rows, workflows) => {
        const causes = rows.map(({ workflows }, cause) =>
          aCause({ incidentId: cause }, ...Array.from({ length: workflows }, (_, n) => `workflow-${n}`)),
        );
        const incidents = rows.map(({ length }, id) => {
          const cause = { text: `cause-${id} ${'x'.repeat(length)}`, key: `${id}` };
          return anIncident({ id, headline: null, cause });
        });
        const filter = { ...ALL_FAILURES, workflows };
        const options = { incidents: new Map(incidents.map((incident) => [incident.id, incident])) };
        const pages = pagesOf(found({ ...SOME, causes }), { ...REQUEST, filter }, options);
        const shown = pages.flatMap((page) => wordsOf(page).match(/(?<=“cause-)\d+/g) ?? []);
        expect(shown.map(Number)).toEqual(rows.map((_, cause) => cause));
        for (const page of pages) expectFit(page);
      }),
      { numRuns: 20 },
    );
  });

  function pagesOf(
    what: FailuresFound,
    request: FailureRequest,
    options: Pick<FailuresOptions, 'incidents'>,
  ): MessageContent[] {
    const page = answer(what, { ...options, request });
    const next = parseRun(buttonValue(page, `${RUN}:Load more`) ?? '');
    return next === null ? [page] : [page, ...pagesOf(what, { ...request, page: next.page }, options)];
  }
});

describe('the request', () => {
  const read = (text: string) => {
    const ctx = { retentionDays: 3, now: () => NOW };
    return parseFailureRequest(aLine(parseCommandText(text)), { usualMs: HOUR * 1000 }, ctx);
  };

  test('is the last hour of everything by default', () => {
    expect(read('')).toEqual(REQUEST);
  });

  test.each([
    ['verdict:bounce', 'verdict'],
    ['since:2h,3h', 'since'],
    ['since:5d', 'since'],
  ])("is refused if it can't be applied: %s", (text, field) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'InputError', field }));
    expect(() => read(text)).toThrow(InputError);
  });

  test('says that a subscriber whose ID is an address is compared masked', () => {
    const request = read('subscriber:anna@example.com');
    expect(wordsOf(answer(found({}), { request }))).toContain(
      'Only subscriber a•••@example.com (masked: others may look the same)',
    );
  });

  test('survives a round trip through the text of a button', () => {
    const subscribers = fc.uniqueArray(fc.stringMatching(/^\w[\w.:,@-]{0,20}\w$/));
    fc.assert(
      fc.property(subscribers, (ids) => {
        const request = { ...REQUEST, filter: { ...ALL_FAILURES, subscribers: ids, channels: ['in_app'] } };
        const [, text = ''] = /^failures (.*)$/.exec(failureText('failures', request)) ?? [];
        const shown = { ...request, filter: { ...request.filter, subscribers: [...new Set(ids.map(storableId))] } };
        expect(read(text)).toEqual(shown);
      }),
    );
  });
});
