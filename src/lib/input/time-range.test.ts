import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { formatUtc } from '../time/durations.ts';
import cases from './time-range.cases.json' with { type: 'json' };
import { parseTimeRange } from './time-range.ts';

const NOW = new Date('2025-06-15T12:34:56Z');
const AN_HOUR = { durationMs: 3_600_000 };

type Typed = { since?: string | undefined; until?: string | undefined };

function rangeOf({ since, until }: Typed, now: Date, options: Parameters<typeof parseTimeRange>[2]) {
  const filter = (typed?: string) => (typed === undefined ? [] : [typed]);
  return parseTimeRange({ since: filter(since), until: filter(until) }, now, options);
}

describe('parseTimeRange', () => {
  test.each(cases.since)('parses since:%s as %s', (since, from) => {
    expect(rangeOf({ since }, NOW, AN_HOUR)).toEqual({ from: new Date(from), to: NOW });
  });

  test.each(cases.sinceInZone)('parses since:%s of a person in %s as %s', (since, timeZone, from) => {
    expect(rangeOf({ since }, NOW, { ...AN_HOUR, timeZone }).from).toEqual(new Date(from));
  });

  test('includes a whole local day, also one of 23 or 25 hours', () => {
    const options = { ...AN_HOUR, maxDays: 365, timeZone: 'Europe/Berlin' };
    const range = (day: string) => rangeOf({ since: day, until: day }, new Date('2025-04-15T12:00:00Z'), options);
    expect(range('2025-03-30')).toEqual({
      from: new Date('2025-03-29T23:00:00Z'),
      to: new Date('2025-03-30T22:00:00Z'),
    });
    expect(range('2024-10-27')).toEqual({
      from: new Date('2024-10-26T22:00:00Z'),
      to: new Date('2024-10-27T23:00:00Z'),
    });
  });

  test.each(cases.until)('parses until:%s as %s, including the day', (until, to) => {
    expect(rangeOf({ since: '7d', until }, NOW, AN_HOUR).to).toEqual(new Date(to));
  });

  test('has the default length without since', () => {
    expect(rangeOf({}, NOW, AN_HOUR)).toEqual({ from: new Date('2025-06-15T11:34:56Z'), to: NOW });
    expect(rangeOf({ until: '12:00' }, NOW, AN_HOUR).from).toEqual(new Date('2025-06-15T11:00:00Z'));
  });

  test.for(cases.wrong)('says what is wrong with $input, and shows an example', ({ input, message, example }) => {
    const field = message.slice(0, message.indexOf(':'));
    expect(() => rangeOf(input, NOW, AN_HOUR)).toThrow(expect.objectContaining({ field, message, example }));
  });

  test.each([
    [1 / 24, '1 h', 'since:1h'],
    [2, '2 d', 'since:2d'],
    [30, '30 d', 'since:30d'],
  ])('reaches back as far as its limit of %d days, and names it', (maxDays, limit, earliest) => {
    const refused = () => rangeOf({ since: '999999d' }, NOW, { ...AN_HOUR, maxDays });
    const message = `since: reaches back at most ${limit}.`;
    expect(refused).toThrow(expect.objectContaining({ message, example: earliest }));
    expect(rangeOf({ since: limit }, NOW, { ...AN_HOUR, maxDays }).to).toEqual(NOW);
  });

  test('returns a range that ends by now, or throws an InputError', () => {
    const text = fc.option(
      fc.oneof(fc.string(), fc.stringMatching(/^\d{1,7}[smhdw]$/), fc.stringMatching(/^\d\d:\d\d$/)),
      { nil: undefined },
    );
    const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Chatham', 'America/Havana');
    fc.assert(
      fc.property(text, text, timeZone, (since, until, timeZone) => {
        try {
          const range = rangeOf({ since, until }, NOW, { ...AN_HOUR, timeZone });
          expect(range.from < range.to && range.to <= NOW).toBe(true);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
        }
      }),
    );
  });
});

test('understands the times that Notif and logs show as the same times, in any time zone', () => {
  const [min, max] = [new Date('2025-05-17T00:00:00Z'), new Date(NOW.getTime() - 1)];
  const moment = fc.date({ min, max, noInvalidDate: true });
  const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Chatham', 'America/Havana');
  fc.assert(
    fc.property(moment, timeZone, (at, timeZone) => {
      const understood = (since: string) => rangeOf({ since }, NOW, { ...AN_HOUR, timeZone }).from.getTime();
      const ms = at.getTime();
      expect(understood(formatUtc(at))).toBe(ms - (ms % 60_000));
      expect(understood(at.toISOString())).toBe(ms);
      expect(understood(at.toISOString().replace('Z', '456789+00:00'))).toBe(ms);
    }),
  );
});

test('since:yesterday until:today is yesterday', () => {
  const { from, to } = rangeOf({ since: 'yesterday', until: 'today' }, NOW, { durationMs: 1 });
  expect([from.toISOString(), to.toISOString()]).toEqual(['2025-06-14T00:00:00.000Z', '2025-06-15T00:00:00.000Z']);
});
