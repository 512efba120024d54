import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../failures/failure-filter.ts';
import { namingFilters, unseenNames } from './unseen-names.ts';

const asked = {
  ...ALL_FAILURES,
  workflows: ['ordr-shipped', 'Order-Shipped', 'order shipped', 'refund'],
  providers: ['SendGrid', 'sendgird'],
  severities: ['hihg'],
  transactions: ['never-seen'],
};

test('names what was never seen, with the nearest name seen', () => {
  const seen = { workflows: ['order-shipped', 'Order shipped'], providers: [], severities: [] };
  expect(unseenNames(asked, seen).map(({ noun, name, meant }) => [noun, name, meant])).toEqual([
    ['workflow', 'ordr-shipped', 'order-shipped'],
    ['workflow', 'refund', null],
    ['provider', 'sendgird', 'sendgrid'],
    ['severity', 'hihg', 'high'],
  ]);
});

test('needs only the names and IDs of filters that are set', () => {
  expect(namingFilters({ ...asked, verdicts: ['failed'] })).toEqual([
    'workflows',
    'providers',
    'severities',
    'transactions',
  ]);
});
