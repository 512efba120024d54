import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from '../src/config.environments.ts';
import { SETTINGS } from '../src/config.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { SECRETS } from '../src/process/variables.ts';

const OF_THE_IMAGE = ['NODE_ENV', 'MALLOC_TRIM_THRESHOLD_', 'NODE_OPTIONS'];
const READ = [
  ...[...SETTINGS, 'NOTIF_ENVIRONMENTS', ...OF_THE_IMAGE],
  ...SECRETS.map((secret) => `${secret}_FILE`),
  ...ENVIRONMENT_VARIABLES.map((key) => `NOTIF_${key}`),
];

test.each(['compose.yml', 'notif.env.example', 'kubernetes/notif.yml', 'systemd/notif.service'])(
  'deploy/%s sets only variables that Notif reads',
  (file) => {
    const text = readFileSync(`deploy/${file}`, 'utf8').replaceAll(/#.*$/gm, '');
    const set = text.match(/\b(?:NOTIF|SLACK|DATABASE)_[A-Z_]+/g) ?? [];
    expect(set.filter((name) => !READ.includes(name))).toEqual([]);
  },
);

test.each(['docs/alerts.yml', 'deploy/grafana/dashboard.json'])('%s asks only for metrics of Notif', async (file) => {
  const { registry } = createMetrics('1');
  const exported = registry.getMetricsAsArray().map(({ name }) => name);
  const metrics = readFileSync(file, 'utf8').match(/\bnotif_[a-z_]+/g) ?? [];
  const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
  expect(
    [...new Set(metrics)].filter((name) => ![name, base(name)].some((metric) => exported.includes(metric))),
  ).toEqual([]);
});

test('the image is built on one base, named by its digest', () => {
  const bases = readFileSync('Dockerfile', 'utf8').match(/^FROM .*/gm) ?? [];
  expect(bases[0]).toMatch(/^FROM node:\S+@sha256:[0-9a-f]{64} AS base$/);
  expect(bases.slice(1)).toEqual(['FROM base AS build', 'FROM base']);
});
