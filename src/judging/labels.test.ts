import { expect, test } from 'vitest';
import { anEvent } from '../service/event.testing.ts';
import { storableLabels } from './filter.ts';
import { type Label, sharedLabel } from './labels.ts';
import { createTraffic } from './traffic.ts';

const ACME: Label = { kind: 'context', value: 'tenant:acme' };
const HIGH: Label = { kind: 'severity', value: 'high' };

const failed = (count: number, labels: readonly Label[]) =>
  Array.from({ length: count }, () => ({ workflow: 'one', labels }));
const sampled = (count: number, keys: readonly string[], workflow = 'one') =>
  Array.from({ length: count }, () => ({ workflow, labels: new Set(keys) }));

test('an incident is said to share the rarest label that nine in ten of its events have and less than half of the traffic', () => {
  const usual = [
    ...sampled(10, ['context tenant:acme', 'severity high']),
    ...sampled(10, ['severity high']),
    ...sampled(30, []),
  ];
  expect(sharedLabel([...failed(18, [HIGH, ACME]), ...failed(2, [HIGH])], usual)).toEqual({
    label: ACME,
    events: 18,
    total: 20,
    usually: 0.2,
  });
  expect(sharedLabel([...failed(2, []), ...failed(18, [ACME])], usual)).toMatchObject({ events: 18 });
  expect(sharedLabel([...failed(17, [ACME]), ...failed(3, [])], usual)).toBeNull();
  expect(sharedLabel(failed(20, [HIGH]), sampled(40, ['severity high']))).toBeNull();
});

test('nothing is said of a few events, of little traffic, or by the traffic of other workflows', () => {
  expect(sharedLabel(failed(9, [ACME]), sampled(40, []))).toBe('unknown');
  expect(sharedLabel(failed(20, [ACME]), sampled(20, []))).toBe('unknown');
  expect(sharedLabel(failed(20, [ACME]), sampled(900, [], 'other'))).toBe('unknown');
});

test('an event has labels of each kind, and one without a workflow counts too', () => {
  const traffic = createTraffic();
  const labels = { contextKeys: ['tenant:acme'], topicKeys: ['launch'], tags: ['checkout'], severity: 'high' };
  traffic.add('sampled', [anEvent({ ...labels, workflow: null }), anEvent({ id: 'other', severity: null })]);
  const [first, second] = traffic.sample('sampled');
  expect(first?.workflow).toBe('');
  expect([...(first?.labels ?? [])]).toEqual([
    'context tenant:acme',
    'topic launch',
    'tag checkout',
    'severity high',
    'domain example.com',
  ]);
  expect([...(second?.labels ?? [])].some((label) => label.startsWith('severity'))).toBe(false);
});

test('labels of traffic are those that a failure with them would be recorded with', () => {
  const traffic = createTraffic();
  const contextKeys = ['site:https://shop.example.com/de', 'long:'.padEnd(5_000, 'a')];
  const tags = ['a  b &amp; c'];
  const topicKeys = ['launch '.repeat(1_000)];
  traffic.add('sampled', [anEvent({ contextKeys, tags, topicKeys, severity: null })]);
  const recorded = storableLabels({ contexts: contextKeys, topics: topicKeys, tags });
  const kept = [
    ...recorded.contexts.map((key) => `context ${key}`),
    ...recorded.topics.map((key) => `topic ${key}`),
    ...recorded.tags.map((tag) => `tag ${tag}`),
    'domain example.com',
  ];
  expect(traffic.sample('sampled')[0]?.labels).toEqual(new Set(kept));
});

test('the traffic of an environment is its last thousand events', () => {
  const traffic = createTraffic();
  for (let page = 0; page < 30; page += 1) {
    const events = Array.from({ length: 50 }, (_, n) => anEvent({ id: `${page}-${n}`, tags: [`page-${page}`] }));
    traffic.add('sampled', events);
  }
  const sample = traffic.sample('sampled');
  expect(sample).toHaveLength(1_000);
  expect(sample[0]?.labels).toEqual(new Set(['tag page-10', 'domain example.com']));
  expect(traffic.sample('other')).toEqual([]);
});
