import { describe, expect, test } from 'vitest';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import { bucketsOf, type Chart } from '../../../lookups/chart.ts';
import { at, buttonsOf, expectFit, HOSTILE, NOON, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { chartMessage } from './chart.ts';

const HOUR = { from: NOON, to: at(3600) };
const SERIES = [
  { name: 'Mailbox full', counts: [0, 80, 5], failures: 85 },
  { name: 'Blocked', counts: [0, 10], failures: 10 },
];

const chart = (change: Partial<Chart> = {}, range = HOUR): Chart => ({
  environment: PRODUCTION,
  range,
  read: range,
  since: null,
  trouble: null,
  outage: null,
  unchecked: [],
  givenUp: [],
  freshness: { asOf: range.to, isCurrent: true },
  eventsChecked: 1_234,
  unreadable: 0,
  buckets: bucketsOf(range),
  series: SERIES,
  attempts: null,
  ...change,
});
const REQUEST = { environment: 'production', filter: ALL_FAILURES, ...HOUR };
const drawn = (shown: Chart) => chartMessage(shown, REQUEST, 'Europe/Berlin', HOUR.to);

describe('a chart', () => {
  test('is areas by cause, with its counts above and each cause below', () => {
    const message = drawn(chart());
    expect(message.blocks[1]).toMatchObject({
      title: '95 failures',
      chart: { type: 'area', axis_config: { categories: expect.arrayContaining(['13:00', '13:05', '13:55']) } },
    });
    expect(wordsOf(message)).toContain('85 Mailbox full · 10 Blocked\nUp to date 13:00:00 UTC');
    expect(buttonsOf(message)).toEqual(['Share']);
    expectFit(message);
  });

  test('shows the share of the attempts where they are counted', () => {
    const [, block] = drawn(chart({ attempts: [200, 200, 50] })).blocks;
    expect(block).toMatchObject({
      title: '95 failures, 21% of 450 attempts',
      chart: { series: [{ name: 'Mailbox full' }, { name: 'Blocked' }] },
    });
    expect(JSON.stringify(block)).toMatch(/"Mailbox full".*"value":0.*"value":40.*"value":10/);
  });

  test('is bars of one cause, and names days if it has several', () => {
    const days = chart({ series: SERIES.slice(0, 1) }, { from: NOON, to: at(72 * 3600) });
    const { blocks } = drawn(days);
    expect(blocks[1]).toMatchObject({
      chart: { type: 'bar', axis_config: { categories: expect.arrayContaining(['Wed 4 13:00', 'Thu 5 17:00']) } },
    });
    expect(wordsOf({ blocks: blocks.slice(2) })).toContain('85 Mailbox full');
  });

  test('has no value where nothing was checked, and says so', () => {
    const unchecked = [{ from: at(1200), to: at(2400) }];
    const since = at(600);
    const message = drawn(chart({ unchecked, since, read: { from: since, to: HOUR.to } }));
    const categories = ['13:10', '13:15', '13:40', '13:45', '13:50', '13:55'];
    expect(message.blocks[1]).toMatchObject({ chart: { axis_config: { categories } } });
    expect(wordsOf(message)).toContain('Time that was not checked is not in the chart');
    expectFit(message);
  });

  test('says what its counts leave out', () => {
    const unchecked = [
      { from: at(1799.5), to: at(1800) },
      { from: at(1800), to: HOUR.to },
    ];
    const words = wordsOf(drawn(chart({ unreadable: 3, unchecked })));
    expect(words).toContain('⚠️ 3 events unreadable');
    expect(words).toContain('⏳ Not checked yet: 12:30:00 UTC – 13:00:00 UTC');
  });

  test('fits whatever its names', () => {
    const series = Array.from({ length: 6 }, () => ({ name: HOSTILE.repeat(9), counts: [9], failures: 9 }));
    expectFit(drawn(chart({ series })));
  });

  test('is words without failures, an all-clear only if everything was checked for it', () => {
    const wordsFor = (change: Partial<Chart>) => wordsOf(drawn(chart({ series: [], ...change })));
    expect(wordsFor({})).toMatch(/^✅ No failures in production in the last hour \(1,234 events\)\.\nUp/);
    const freshness = { asOf: at(3000), isCurrent: false };
    expect(wordsFor({ freshness })).toMatch(/^⚪ No failures found [^✅]*\nAs of 12:50/);
    expect(wordsFor({ unchecked: [HOUR] })).toMatch(/^⚪ [^✅]*\n⏳ Not checked yet/);
  });
});
