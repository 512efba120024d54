import { describe, expect, test } from 'vitest';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import type { Chart } from '../../../lookups/chart.ts';
import { bucketsOf, type Counted, type CountedKind, divided } from '../../../lookups/chart-points.ts';
import { button } from '../../kit/blocks.ts';
import { anIncident, at, buttonsOf, expectFit, HOSTILE, NOON, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { chartMessage, filterSubject, incidentSubject } from './chart.ts';

const HOUR = { from: NOON, to: at(3600) };
const ALL = filterSubject(PRODUCTION, ALL_FAILURES);
const OPTIONS = { timeZone: 'Europe/Berlin', share: button('Share', 'share', '') };

const kind = (change: Partial<CountedKind>): CountedKind => ({
  ...{ channel: 'email', provider: 'sendgrid', cause: 'Mailbox full', workflow: 'order-shipped', counts: [] },
  ...change,
});
const TWO = [kind({ counts: [0, 80, 5] }), kind({ channel: 'sms', provider: 'twilio', counts: [0, 10] })];

const chart = (counted: Partial<Counted> = {}, rest: Partial<Chart> = {}): Chart => ({
  ...{ events: 1_234, unreadable: 0, marks: [], unchecked: [], buckets: bucketsOf(HOUR) },
  freshness: { asOf: HOUR.to, isCurrent: true },
  ...counted,
  ...divided({ kinds: TWO, rest: [], ...counted }),
  ...rest,
});

describe('a chart', () => {
  test('is areas by provider, with its counts above and what was done below', () => {
    const marks = [
      { kind: 'deploy', name: 'api 1.2', at: at(540) },
      { kind: 'acknowledged', name: null, at: at(780) },
    ] as const;
    const message = chartMessage(chart({ marks }), ALL, OPTIONS);
    expect(message.blocks[1]).toMatchObject({
      title: '95 failures · 1,234 events checked',
      chart: { type: 'area', axis_config: { categories: expect.arrayContaining(['13:00', '13:05', '13:55']) } },
    });
    expect(message.text).toMatch(
      /^\*Failures in production\* · .* · 95 failures · .* · By provider: 85 Email · SendGrid · /,
    );
    expect(wordsOf(message)).toContain(
      'By provider: 85 Email · SendGrid · 10 SMS · Twilio\n🚀 api 1.2 deployed at 12:09 UTC · 👀 Acknowledged at 12:13 UTC',
    );
    expect(buttonsOf(message)).toEqual(['Share']);
    expectFit(message);
  });

  test('is bars of one incident, and names days if it has several', () => {
    const days = chart({ kinds: TWO.slice(0, 1) }, { buckets: bucketsOf({ from: NOON, to: at(72 * 3600) }) });
    const { blocks } = chartMessage(days, incidentSubject(anIncident(), PRODUCTION), OPTIONS);
    expect(blocks[1]).toMatchObject({
      chart: { type: 'bar', axis_config: { categories: expect.arrayContaining(['Wed 4 13:00', 'Thu 5 17:00']) } },
    });
  });

  test('says what its counts leave out', () => {
    const words = wordsOf(
      chartMessage(chart({ unreadable: 3 }, { unchecked: [{ from: at(1800), to: HOUR.to }] }), ALL, OPTIONS),
    );
    expect(words).toContain('⚠️ 3 events unreadable');
    expect(words).toContain('⚠️ Not checked: 2026-03-04 12:30 UTC – 2026-03-04 13:00 UTC');
  });

  test('fits whatever its names', () => {
    const kinds = Array.from({ length: 9 }, (_, index) =>
      kind({ provider: `${HOSTILE.repeat(9)}${index}`, counts: [9] }),
    );
    const marks = Array.from({ length: 12 }, () => ({ kind: 'deploy', name: HOSTILE.repeat(30), at: at(60) }) as const);
    const filter = { ...ALL_FAILURES, workflows: [HOSTILE.repeat(20), 'a', 'b', 'c'], tags: [HOSTILE] };
    expectFit(chartMessage(chart({ kinds, marks }), filterSubject(PRODUCTION, filter), OPTIONS));
  });

  test('is words without failures, an all-clear only if everything was checked for it', () => {
    const wordsFor = (rest: Partial<Chart>) => wordsOf(chartMessage(chart({ kinds: [] }, rest), ALL, OPTIONS));
    const clear = /^✅ Nothing to draw: no failures\. Failures in production, .*: 1,234 events checked\.$/;
    expect(wordsFor({})).toMatch(clear);
    const asOfEarlier = { asOf: at(3000), isCurrent: false };
    expect(wordsFor({ freshness: asOfEarlier })).toMatch(/^⚪ Nothing to draw: no failures found\..*\nAs of 12:50/);
    expect(wordsFor({ unchecked: [HOUR] })).toMatch(/^⚪ .*\n⚠️ Not checked/);
  });
});
