import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { dateOf } from './fields.ts';

test('dateOf reads a time as the service writes it', () => {
  expect(dateOf('2024-02-29T23:59:58.007Z')).toEqual(new Date(Date.UTC(2024, 1, 29, 23, 59, 58, 7)));
});

// A zone belongs to a process, so the times are read in another one.
test("dateOf reads times without a zone as UTC, whatever the machine's zone is", () => {
  const times = ['2026-03-02T03:04', '2026-03-02 03:04:00', '2026-03-02T03:04:00.000'];
  const script = `import { dateOf } from ${JSON.stringify(new URL('./fields.ts', import.meta.url).href)};
    console.log(JSON.stringify([new Date(2026, 2, 2), ...${JSON.stringify(times)}.map(dateOf)]));`;
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { ...process.env, TZ: 'Asia/Kathmandu' },
    encoding: 'utf8',
  });
  const [midnight, ...read] = z.array(z.string()).parse(JSON.parse(stdout));
  expect(midnight).toBe('2026-03-01T18:15:00.000Z');
  expect(read).toEqual(times.map(() => '2026-03-02T03:04:00.000Z'));
});

test.each([
  ...[null, undefined, '', 'yesterday', '2026-13-01T00:00:00.000Z', '2026-01-01T25:00:00.000Z'],
  ...['+010000-01-01T00:00:00.000Z', '99999-01-01'],
])('dateOf returns null for %j', (value) => {
  expect(dateOf(value)).toBeNull();
});

// Taken for times, they would date a failure of today before everything: its incident would count as over while it goes on.
test.each([
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00Z',
  '1601-01-01T00:00:00.000Z',
])('dateOf takes %s for no time: programs write it for one that was never set', (zero) => {
  expect(dateOf(zero)).toBeNull();
});
