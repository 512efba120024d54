import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { HeartbeatOutcome } from '../src/domain/health/heartbeat-report.ts';
import { DELIVER } from '../src/jobs/deliver.ts';
import type { JobOutcome } from '../src/jobs/running-jobs.ts';
import { createMetrics } from '../src/process/metrics.ts';
import type { StatementOutcome } from '../src/store/database/observed-database.ts';
import type { EditOutcome, HistoryLookup, PostOutcome } from '../src/use-cases/alerting/deliver-messages.ts';
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

interface Selector {
  readonly metric: string;
  readonly matchers: readonly {
    readonly label: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

/** Returns what an expression selects: `sum(runs_total{outcome=~"failed|cut-off"})` -> runs_total, and outcome with two values. */
function selectorsIn(expression: string): Selector[] {
  const found: Selector[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'VectorSelector') return;
      const [, metric = '', matchers = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(expression.slice(from, to)) ?? [];
      found.push({
        metric,
        matchers: [...matchers.matchAll(/(\w+)([=!~]+)"([^"]*)"/g)].map(
          ([, label = '', operator = '', value = '']) => ({
            ...{ label, operator },
            values: operator.endsWith('~') ? value.split('|') : [value],
          }),
        ),
      });
    },
  });
  return found;
}

/** Returns the labels by which an expression groups: those that its result has. Null if it groups by none. */
function groupsIn(expression: string): string[] | null {
  const [, labels] = /\bby \(([^)]*)\)/.exec(expression) ?? [];
  return labels?.split(',').map((label) => label.trim()) ?? null;
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

let world: World;
let shown: ReadonlySet<string>;
beforeAll(async () => {
  world = await openWorld();
  const port = world.log.saying('Listening for health checks').at(-1)?.port;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  shown = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) => samplesOf(name, type)));
});
afterAll(() => world.close());

describe('docs/alerts.yml', () => {
  test('has unique rule names', () => {
    const names = rules.map(({ alert }) => alert);
    expect([...new Set(names)]).toEqual(names);
  });

  test.each(rules)('has a valid expression that uses only metrics Notif exports: $alert', ({ expr }) => {
    const metrics = metricsIn(expr);
    expect(metrics?.length).toBeGreaterThan(0);
    expect(metrics?.filter((metric) => metric !== UP && !shown.has(metric))).toEqual([]);
  });

  test.each([...rules, ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ alert: title, expr })))])(
    'uses only labels and values that its metrics have: $alert: $expr',
    ({ expr }) => {
      const selectors = selectorsIn(expr);
      expect(selectors.flatMap(unknownIn)).toEqual([]);
      const labels = selectors.flatMap(({ metric }) => labelsOf(metric) ?? ['environment']);
      expect((groupsIn(expr) ?? []).filter((label) => ![...labels, ...OF_A_TARGET].includes(label))).toEqual([]);
    },
  );

  test.each(rules)("takes no other program's metrics for Notif's: $alert", ({ expr }) => expectOfNotif(expr));

  test.each(rules)(
    'names only labels in its summary that it groups by: $alert',
    ({ expr, annotations: { summary } }) => {
      const named = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      expect(named.filter((label) => !(groupsIn(expr) ?? OF_A_TARGET).includes(label ?? ''))).toEqual([]);
    },
  );

  test('uses every metric of Notif in a rule, except those that only explain one', () => {
    const asked = new Set(rules.flatMap(({ expr }) => metricsIn(expr) ?? []).map(nameOf));
    const names = new Set([...shown].filter((name) => name.startsWith('notif_')).map(nameOf));
    expect([...names].filter((name) => !asked.has(name)).sort()).toEqual(EXPLAINING);
  });

  describe('deploy/grafana/dashboard.json', () => {
    const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

    test.each(expressions)('$title: $expr', ({ expr }) => {
      const metrics = metricsIn(expr);
      expect(metrics?.length).toBeGreaterThan(0);
      expect(metrics?.filter((metric) => !shown.has(metric))).toEqual([]);
    });

    test.each(expressions)("takes no other program's metrics for Notif's: $title: $expr", ({ expr }) =>
      expectOfNotif(expr),
    );

    test('names only labels in its legends that its expressions group by', () => {
      const wrong = panels.flatMap(({ title, targets }) =>
        targets.flatMap(({ expr, legendFormat }) =>
          [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
            .filter(([, label = '']) => !groupsIn(expr)?.includes(label))
            .map(([label]) => `${title}: ${label}`),
        ),
      );
      expect(wrong).toEqual([]);
    });

    test('shows every metric of Notif', () => {
      const asked = new Set([...rules, ...expressions].flatMap(({ expr }) => metricsIn(expr) ?? []).map(nameOf));
      const names = [...shown].filter((name) => name.startsWith('notif_')).map(nameOf);
      expect(names.filter((name) => !asked.has(name))).toEqual([]);
    });

    test('has panels that fit side by side, each with a unique title, a description and a unit', () => {
      const titles = panels.map(({ title }) => title);
      expect([...new Set(titles)]).toEqual(titles);
      expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    });
  });
});

/** The labels that Prometheus gives each sample, by where it's from. */
const OF_A_TARGET = ['job', 'instance'];

/** The metric that Prometheus itself has of each target. */
const UP = 'up';

const names = (of: Readonly<Record<string, true>>): readonly string[] => Object.keys(of);

/** What the outcomes of a metric can be, where Notif lists them all. Of deliveries, by `act`. The types keep these lists complete. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  'notif_deliveries_total post': names({
    ...{ posted: true, 'rate-limited': true, 'not-posted': true, 'shut-out': true, 'no-thread': true, unknown: true },
  } satisfies Record<PostOutcome['outcome'], true>),
  'notif_deliveries_total edit': names({
    ...{ edited: true, unchanged: true, 'rate-limited': true, later: true, deleted: true, frozen: true },
  } satisfies Record<EditOutcome['outcome'], true>),
  'notif_deliveries_total find': names({
    ...{ yes: true, no: true, 'cannot-read': true, 'not-now': true },
  } satisfies Record<HistoryLookup['found'], true>),
  notif_job_runs_total: names({
    ...{ done: true, failed: true, waiting: true, 'cut-off': true, stopped: true, 'given-up': true },
  } satisfies Record<JobOutcome, true>),
  notif_database_statements_total: names({
    ...{ ok: true, failed: true, 'in-trouble': true, 'rolled-back': true },
  } satisfies Record<StatementOutcome, true>),
  notif_heartbeats_total: names({
    ...{ answered: true, failed: true, withheld: true },
  } satisfies Record<HeartbeatOutcome, true>),
};

/** Returns the labels of a counter or histogram of Notif, and null for another metric. */
function labelsOf(metric: string): string[] | null {
  const found = createMetrics('1').registry.getSingleMetric(metric.replace(/_bucket$/, ''));
  const labels = z.object({ labelNames: z.array(z.string()) }).safeParse(found).data?.labelNames;
  return labels === undefined ? null : [...labels, ...(metric.endsWith('_bucket') ? ['le'] : [])];
}

/** Returns what a selector asks for that its metric never has. A rule with a label or outcome that was renamed fires no more. */
function unknownIn({ metric, matchers }: Selector): string[] {
  const act = matchers.find(({ label }) => label === 'act')?.values[0];
  const values: Readonly<Record<string, readonly string[] | undefined>> = {
    act: ['post', 'edit', 'find'],
    outcome: OUTCOMES[act === undefined ? metric : `${metric} ${act}`],
    task: [DELIVER],
    kind: ['read', 'write', 'transaction', 'queue'],
  };
  const labels = labelsOf(metric) ?? [];
  return matchers.flatMap(({ label, values: asked }) => {
    if (!labels.includes(label)) return [`${metric} has no ${label}`];
    return asked.filter((value) => values[label]?.includes(value) === false).map((value) => `no ${label} is ${value}`);
  });
}

/** Every process has `process_…`, and every one on Node `nodejs_…`: a Prometheus that scrapes others has theirs, too. */
function expectOfNotif(expression: string): void {
  const shared = selectorsIn(expression).filter(({ metric }) => !metric.startsWith('notif_'));
  if (shared.length > 0)
    expect(expression).toMatch(/and on \(job, instance\) (?:present_over_time\()?notif_build_info/);
}

/** Metrics that no rule alerts on: they explain what another rule is about. */
const EXPLAINING = [
  'notif_check_lag_seconds',
  'notif_events_checked_total',
  'notif_events_given_up',
  'notif_failing_seconds',
  'notif_failures_recorded_total',
  'notif_job_run_seconds',
  'notif_late_failure_delay_seconds',
  'notif_messages_waiting',
  'notif_odd_fields_total',
  'notif_open_gaps',
  'notif_rechecks_due',
  'notif_service_requests_running',
  'notif_slack_call_seconds',
];

/** Returns the metric of a sample: `notif_job_run_seconds_bucket` -> `notif_job_run_seconds`. */
const nameOf = (sample: string): string => sample.replace(/_(?:bucket|sum|count)$/, '');

function samplesOf(name: string, type: string | undefined): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

describe('docs/runbook.md', () => {
  test('names only metrics that Notif exports', () => {
    const named = [...runbook.matchAll(/\b(?:notif|process|nodejs)_[a-z_]+\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !shown.has(name) && !shown.has(`${name}_bucket`))).toEqual([]);
  });

  test('asks only for labels and outcomes that its metrics have', () => {
    const asked = [...runbook.matchAll(/`([^`]*\bnotif_[^`]*)`/g)].map(([, expression = '']) => expression);
    expect(asked.flatMap(selectorsIn).flatMap(unknownIn)).toEqual([]);
  });

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
