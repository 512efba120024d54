import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from './source-code.ts';
import { openWorld, type World } from './support/world.ts';

const Rule = z.strictObject({
  alert: z.string().regex(/^Notif[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z.string().regex(/^\d+[mh]$/),
  labels: z.strictObject({ severity: z.enum(['page', 'warning']) }),
  annotations: z.strictObject({ summary: z.string().min(20), runbook: z.string() }),
});
const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })) });

const rules = Rules.parse(parse(read('docs/alerts.yml'))).groups.flatMap((group) => group.rules);
const Panel = z.object({
  title: z.string().min(3),
  description: z.string().min(10),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }) }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string().min(1) })).min(1),
});
const Row = z.object({ type: z.literal('row'), title: z.string() });
const Dashboard = z.object({ uid: z.literal('notif'), panels: z.array(z.union([Row, Panel])) });
const panels = Dashboard.parse(JSON.parse(read('deploy/grafana/dashboard.json'))).panels.flatMap((panel) =>
  'targets' in panel ? [panel] : [],
);

const runbook = read('docs/runbook.md');
const QUESTIONS = ['Meaning', 'Impact', 'Check', 'Fix'];

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Returns the metrics that an expression names. Null if Prometheus would reject the expression. */
function metricsIn(expression: string): string[] | null {
  const names: string[] = [];
  let isRefused = false;
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) isRefused = true;
      if (name === 'Identifier') names.push(expression.slice(from, to));
    },
  });
  return isRefused ? null : names;
}

describe('docs/alerts.yml', () => {
  let world: World;
  let shown: ReadonlySet<string>;
  beforeAll(async () => {
    world = await openWorld();
    const port = world.log.saying('Listening for health checks').at(-1)?.port;
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    shown = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) => samplesOf(name, type)),
    );
  });
  afterAll(() => world.close());

  test('has unique rule names', () => {
    const names = rules.map(({ alert }) => alert);
    expect([...new Set(names)]).toEqual(names);
  });

  test.each(rules)('has a valid expression that uses only metrics Notif exports: $alert', ({ expr }) => {
    const metrics = metricsIn(expr);
    expect(metrics?.length).toBeGreaterThan(0);
    expect(metrics?.filter((metric) => !shown.has(metric))).toEqual([]);
  });

  test('uses every metric of Notif in a rule, except those that only explain one', () => {
    const asked = new Set(rules.flatMap(({ expr }) => metricsIn(expr) ?? []));
    const silent = [...shown].filter((name) => name.startsWith('notif_') && !name.endsWith('_sum') && !asked.has(name));
    expect(silent.filter((name) => !/_(bucket|count)$/.test(name)).sort()).toEqual(EXPLAINING);
  });

  describe('deploy/grafana/dashboard.json', () => {
    const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

    test.each(expressions)('$title: $expr', ({ expr }) => {
      const metrics = metricsIn(expr);
      expect(metrics?.length).toBeGreaterThan(0);
      expect(metrics?.filter((metric) => !shown.has(metric))).toEqual([]);
    });

    test('shows every metric of Notif', () => {
      const asked = new Set([...rules, ...expressions].flatMap(({ expr }) => metricsIn(expr) ?? []));
      const isAsked = (name: string) => [name, `${name}_bucket`].some((sample) => asked.has(sample));
      const names = [...shown]
        .filter((name) => name.startsWith('notif_'))
        .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
      expect(names.filter((name) => !isAsked(name))).toEqual([]);
    });

    test('has panels that fit side by side, each with a unique title, a description and a unit', () => {
      const titles = panels.map(({ title }) => title);
      expect([...new Set(titles)]).toEqual(titles);
      expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    });
  });
});

/** Metrics that no rule alerts on: they explain what another rule is about. */
const EXPLAINING = [
  'notif_check_lag_seconds',
  'notif_disk_used_bytes',
  'notif_events_checked_total',
  'notif_events_given_up',
  'notif_failing_seconds',
  'notif_failures_recorded_total',
  'notif_late_failure_delay_seconds',
  'notif_messages_waiting',
  'notif_odd_fields_total',
  'notif_open_gaps',
  'notif_rechecks_due',
  'notif_service_requests_running',
];

function samplesOf(name: string, type: string | undefined): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

describe('docs/runbook.md', () => {
  const entries = [...runbook.matchAll(/^### (Notif\w+)$/gm)].map(([, name]) => name);

  test('has one entry for each rule, in the same order', () => {
    expect(entries).toEqual(rules.map(({ alert }) => alert));
  });

  test.each(rules)(
    'has an entry for the rule $alert with Meaning, Impact, Check and Fix, and the rule links to it',
    ({ alert, annotations }) => {
      expect(annotations.runbook).toBe(`runbook.md#${alert.toLowerCase()}`);
      const [, entry = ''] = runbook.split(`### ${alert}\n`);
      const answers = entry.split(/^##/m)[0] ?? '';
      expect([...answers.matchAll(/^- \*\*([^*]+)\.\*\* \S/gm)].map(([, question]) => question)).toEqual(QUESTIONS);
    },
  );
});
