import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiskLevel, diskLevel } from './disk-space.ts';

const MB = 2 ** 20;
const GB = 1024 * MB;
const level = (freeBytes: number, totalBytes = 20 * GB, before: DiskLevel = 'ample') =>
  diskLevel(before, { freeBytes, totalBytes });

test('is low below 200 MB or a twentieth of the disk, and at most 2 GB', () => {
  expect([level(199 * MB, GB), level(201 * MB, GB)]).toEqual(['low', 'ample']);
  expect([level(1_023 * MB), level(1_025 * MB)]).toEqual(['low', 'ample']);
  expect([level(2_047 * MB, 10_000 * GB), level(2_049 * MB, 10_000 * GB)]).toEqual(['low', 'ample']);
});

test('is critical below 64 MB, and stays so until 96 MB are free', () => {
  expect([level(63 * MB), level(65 * MB)]).toEqual(['critical', 'low']);
  expect([level(95 * MB, 20 * GB, 'critical'), level(97 * MB, 20 * GB, 'critical')]).toEqual(['critical', 'low']);
});

test('is what it promises exactly at its limits', () => {
  expect([level(200 * MB, GB), level(64 * MB), level(96 * MB, 20 * GB, 'critical')]).toEqual(['ample', 'low', 'low']);
});

test('never gets worse with more room', () => {
  const bytes = fc.nat({ max: 4 * GB });
  const rank = ['critical', 'low', 'ample'];
  fc.assert(
    fc.property(bytes, bytes, fc.constantFrom('ample', 'low', 'critical'), (free, more, before) => {
      const than = (freeBytes: number) => rank.indexOf(level(freeBytes, 20 * GB, before));
      expect(than(free + more)).toBeGreaterThanOrEqual(than(free));
    }),
  );
});
