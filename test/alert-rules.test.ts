import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { evaluate, keyOf, type Labels, type Sample, type Series, STEP_S } from './support/promql.ts';

const Rule = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string().default('0s'),
  labels: z.record(z.string(), z.string()),
});
const Rules = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) });

const ExpectedSample = z.object({ labels: z.string(), value: z.number() });
const ExpressionTest = z.object({ expr: z.string(), eval_time: z.string(), exp_samples: z.array(ExpectedSample) });
const AlertTest = z.object({
  eval_time: z.string(),
  alertname: z.string(),
  exp_alerts: z.array(z.object({ exp_labels: z.record(z.string(), z.string()) })),
});
const Case = z.object({
  interval: z.literal(`${STEP_S}s`),
  input_series: z.array(z.object({ series: z.string(), values: z.coerce.string() })),
  promql_expr_test: z.array(ExpressionTest).default([]),
  alert_rule_test: z.array(AlertTest).default([]),
});

const read = (file: string) => parse(readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8'));
const rules = Rules.parse(read('alerts.yml')).groups.flatMap((group) => group.rules);
const { tests: cases } = z.object({ tests: z.array(Case) }).parse(read('alerts.test.yml'));

/** The same cases that `promtool test rules` plays, but for what annotations say. */
describe.each(cases.map((played, index) => ({ ...played, outage: index + 1 })))(
  'outage $outage of alerts.test.yml',
  (played) => {
    const input = played.input_series.map(({ series, values }) => ({
      labels: labelsIn(series),
      values: valuesIn(values),
    }));
    const times = [...played.promql_expr_test, ...played.alert_rule_test].map(({ eval_time }) => seconds(eval_time));
    const series = withAlerts(input, Math.max(...times) / STEP_S + 1);

    test.for(played.promql_expr_test)('at $eval_time $expr is as expected', ({ expr, eval_time, exp_samples }) => {
      const expected = exp_samples.map(({ labels, value }) => ({ labels: labelsIn(labels), value }));
      expect(byLabels(evaluate(expr, series, seconds(eval_time)))).toEqual(byLabels(expected));
    });

    test.for(played.alert_rule_test)(
      'at $eval_time $alertname fires as expected',
      ({ eval_time, alertname, exp_alerts }) => {
        const firing = evaluate(`ALERTS{alertname="${alertname}",alertstate="firing"}`, series, seconds(eval_time));
        const state = { __name__: 'ALERTS', alertname, alertstate: 'firing' };
        const expected = exp_alerts.map(({ exp_labels }) => ({ labels: { ...state, ...exp_labels }, value: 1 }));
        expect(byLabels(firing)).toEqual(byLabels(expected));
      },
    );
  },
);

function byLabels(samples: readonly Sample[]): Sample[] {
  return samples.toSorted((a, b) => keyOf(a.labels).localeCompare(keyOf(b.labels)));
}

/** Evaluates the rules at each step, as Prometheus does, and adds the series `ALERTS`. */
function withAlerts(input: readonly Series[], steps: number): Series[] {
  const alerts = new Map<string, Series>();
  for (const rule of rules) {
    /** Since which second each alert of the rule is active. */
    let activeSince = new Map<string, number>();
    for (let step = 0; step < steps; step += 1) {
      const at = step * STEP_S;
      const found = evaluate(rule.expr, input, at).map(({ labels: { __name__, ...labels } }) => ({
        ...labels,
        ...rule.labels,
      }));
      activeSince = new Map(found.map((labels) => [keyOf(labels), activeSince.get(keyOf(labels)) ?? at]));
      for (const labels of found) {
        const isFiring = at - (activeSince.get(keyOf(labels)) ?? at) >= seconds(rule.for);
        const state = {
          __name__: 'ALERTS',
          alertname: rule.alert,
          alertstate: isFiring ? 'firing' : 'pending',
          ...labels,
        };
        const alert = alerts.get(keyOf(state)) ?? {
          labels: state,
          values: Array<number | null>(steps).fill(Number.NaN),
        };
        alert.values[step] = 1;
        alerts.set(keyOf(state), alert);
      }
    }
  }
  return [...input, ...alerts.values()];
}

/** `name{label="value", …}` */
function labelsIn(text: string): Labels {
  const name = /^\w+/.exec(text)?.[0];
  const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]);
  return { ...(name !== undefined && { __name__: name }), ...Object.fromEntries(labels) };
}

/** `a+bxN` is N + 1 values that grow by b; `_xN` are N that are missing, `stale` an end. */
function valuesIn(text: string): Series['values'] {
  return text.split(' ').flatMap((word): Series['values'] => {
    if (word === 'stale') return [Number.NaN];
    const [, missing] = /^_(?:x(\d+))?$/.exec(word) ?? [];
    if (word.startsWith('_')) return Array<null>(Number(missing ?? 1)).fill(null);
    const [, start, growth = '0', times = '0'] = /^(-?[\d.e]+)(?:([+-][\d.]+))?(?:x(\d+))?$/.exec(word) ?? [];
    if (start === undefined) throw new Error(`${word} is no value of a series`);
    return Array.from({ length: Number(times) + 1 }, (_, index) => Number(start) + index * Number(growth));
  });
}

/** '1h30m' is 5,400. */
function seconds(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
  return [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
