import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catchUpWindows } from './reading.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const HOUR = 3_600_000;
const ago = (ms: number) => new Date(now.getTime() - ms);

function windowsAfter(cursor: { readTo: Date; newestEventAt?: Date }, horizonMs = 72 * HOUR) {
  return catchUpWindows({ newestEventAt: null, coveredFrom: ago(HOUR), ...cursor }, now, horizonMs);
}

describe('the windows that lead from a cursor to now', () => {
  test('overlap what was read, for events that appear late in the list', () => {
    expect(windowsAfter({ readTo: ago(60_000) })).toEqual([{ from: ago(120_000), to: now }]);
  });

  test('reach back to the newest event, by the clock of a service that is behind ours', () => {
    const [first] = windowsAfter({ readTo: ago(60_000), newestEventAt: ago(5 * 60_000) });
    expect(first?.from).toEqual(ago(6 * 60_000));
  });

  test('do not reach back further than ten minutes on a quiet service', () => {
    const [first] = windowsAfter({ readTo: ago(60_000), newestEventAt: ago(10 * HOUR) });
    expect(first?.from).toEqual(ago(12 * 60_000));
  });

  test('cut a long gap into parts, oldest first', () => {
    const windows = windowsAfter({ readTo: ago(HOUR) });
    expect(windows.length).toBe(5);
    expect(windows[0]?.from).toEqual(ago(HOUR + 60_000));
    expect(windows.at(-1)?.to).toEqual(now);
  });

  test('go back to the horizon at most', () => {
    expect(windowsAfter({ readTo: ago(100 * HOUR) })[0]?.from).toEqual(ago(72 * HOUR));
  });

  test('cover every moment between what was read and now, without a hole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 72 * HOUR }), fc.integer({ min: 0, max: 80 * HOUR }), (read, newest) => {
        const windows = windowsAfter({ readTo: ago(read), newestEventAt: ago(newest) }, 100 * HOUR);
        expect(windows[0]?.from.getTime()).toBeLessThan(ago(read).getTime());
        expect(windows.at(-1)?.to).toEqual(now);
        windows.slice(1).forEach((window, i) => {
          expect(window.from).toEqual(windows[i]?.to);
        });
      }),
    );
  });
});
