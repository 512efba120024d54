import { expect, test } from 'vitest';
import { createPlanGrowth } from './plan-growth.ts';

const one = {};
const wrote = (affected: number) => ({ rows: [], affected });
const returned = (rows: number) => ({ rows: Array.from({ length: rows }), affected: 0 });

test('plans are outdated once a thousand rows were written, for each connection', () => {
  const growth = createPlanGrowth();
  expect(growth.areOutdated(one)).toBe(false);
  growth.note('INSERT INTO failures SELECT 1', wrote(999));
  expect(growth.areOutdated(one)).toBe(false);
  growth.note('UPDATE failures SET seq = 1', wrote(1));
  expect(growth.areOutdated(one)).toBe(true);
  expect(growth.areOutdated(one)).toBe(false);
  expect(growth.areOutdated({})).toBe(false);
});

test('rows that a statement writes and returns count, which PostgreSQL reports as selected', () => {
  const growth = createPlanGrowth();
  growth.areOutdated(one);
  growth.note(
    'WITH added AS (INSERT INTO failures DEFAULT VALUES RETURNING seq) SELECT seq FROM added',
    returned(1_000),
  );
  expect(growth.areOutdated(one)).toBe(true);
});

test('rows that are only read do not count', () => {
  const growth = createPlanGrowth();
  growth.areOutdated(one);
  growth.note('SELECT * FROM failures', returned(5_000));
  expect(growth.areOutdated(one)).toBe(false);
});

test('plans are remade less and less often, since a tenth more rows change none', () => {
  const growth = createPlanGrowth();
  growth.areOutdated(one);
  growth.note('INSERT INTO failures SELECT 1', wrote(100_000));
  expect(growth.areOutdated(one)).toBe(true);
  growth.note('INSERT INTO failures SELECT 1', wrote(9_999));
  expect(growth.areOutdated(one)).toBe(false);
  growth.note('INSERT INTO failures SELECT 1', wrote(1));
  expect(growth.areOutdated(one)).toBe(true);
});
