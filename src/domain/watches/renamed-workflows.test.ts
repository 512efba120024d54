import { expect, test } from 'vitest';
import { followRenamed } from './renamed-workflows.ts';
import { EVERYTHING } from './watch.ts';

const RENAMED = [{ identifier: 'order-shipped', earlierName: 'Order shipped' }];

test.each([
  [
    'names the workflow by its earlier name',
    ['welcome', 'order Shipped'],
    ['welcome', 'order Shipped', 'order-shipped'],
  ],
  ['names it by its identifier, too', ['Order shipped', 'order-shipped'], null],
  ['names another workflow', ['welcome'], null],
  ['names none', [], null],
  [
    'names one less than it can',
    ['Order shipped', ...Array.from({ length: 18 }, (_, index) => `w${index}`)],
    ['Order shipped', ...Array.from({ length: 18 }, (_, index) => `w${index}`), 'order-shipped'],
  ],
  ['names as many as it can', ['Order shipped', ...Array.from({ length: 19 }, (_, index) => `w${index}`)], null],
])('a watch that %s', (_, workflows, followed) => {
  const filter = followRenamed({ ...EVERYTHING, workflows }, 'production', RENAMED);
  expect(filter?.workflows ?? null).toEqual(followed);
});

test('a watch of other environments stays as it is', () => {
  const filter = { ...EVERYTHING, environments: ['staging'], workflows: ['Order shipped'] };
  expect(followRenamed(filter, 'production', RENAMED)).toBeNull();
});
