import { expect, test } from 'vitest';
import { ALL_FAILURES, FILTER_NAMES, filterBy } from './failure-filter.ts';
import { namingFilters, severalIn, unseenNames } from './unseen-names.ts';

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

test('asks for the names of every filter but the one by verdict', () => {
  const all = filterBy((name) => [name]);
  expect(namingFilters(all)).toEqual(FILTER_NAMES.filter((name) => name !== 'verdicts'));
});

test('compares contexts exactly, as failures are found by them', () => {
  const contexts = { ...ALL_FAILURES, contexts: ['Tenant:acme', 'tenant:acme'] };
  expect(unseenNames(contexts, { contexts: ['tenant:acme'] })).toMatchObject([
    { name: 'Tenant:acme', meant: 'tenant:acme' },
  ]);
});

test("knows the contract's channels before anything was seen", () => {
  expect(unseenNames({ ...ALL_FAILURES, channels: ['email', 'in_app'] }, { channels: [] })).toEqual([]);
});

test('has to check lists of several names, although something was found', () => {
  expect(severalIn(asked)).toEqual({ ...asked, severities: [], transactions: [] });
});

test('names nothing of a kind whose names are not known', () => {
  expect(unseenNames(asked, {})).toEqual([]);
});
