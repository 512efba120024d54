import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export type Labels = Readonly<Record<string, string>>;

/** A value at each step; null where nothing was scraped, NaN where the series ended. */
export interface Series {
  labels: Labels;
  values: (number | null)[];
}

export interface Sample {
  labels: Labels;
  value: number;
}

export const STEP_S = 15;
/** Prometheus' own: a series without a value for longer has none. */
const LOOKBACK_S = 300;

/** Returns the expression's value at a second. Throws for PromQL that the rules of docs/alerts.yml don't use. */
export function evaluate(expression: string, series: readonly Series[], at: number): readonly Sample[] {
  const value = resultOf(parser.parse(expression).topNode.firstChild, { expression, series, at });
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

interface Scope {
  expression: string;
  series: readonly Series[];
  at: number;
}

type Value = number | readonly Sample[];

function resultOf(node: SyntaxNode | null, scope: Scope): Value {
  const text = (inner: SyntaxNode) => textOf(inner, scope);
  switch (node?.name) {
    case 'NumberDurationLiteral':
      return Number(text(node));
    case 'ParenExpr':
      return resultOf(node.firstChild, scope);
    case 'VectorSelector':
      return selectedSeries(node, scope, LOOKBACK_S).flatMap(({ labels, values }) => {
        const value = values.findLast((each) => each !== null) ?? Number.NaN;
        return Number.isNaN(value) ? [] : [{ labels, value }];
      });
    case 'FunctionCall':
      return callResult(text(inside(node, 'FunctionIdentifier')), inside(node, 'FunctionCallBody').firstChild, scope);
    case 'AggregateExpr': {
      const samples = vector(resultOf(inside(node, 'FunctionCallBody').firstChild, scope));
      const labels = new Set((node.getChild('AggregateModifier')?.getChildren('GroupingLabels') ?? []).flatMap(names));
      return aggregateResult(text(inside(node, 'AggregateOp')), samples, labels);
    }
    case 'BinaryExpr': {
      const on = node.getChild('MatchingModifierClause')?.getChild('GroupingLabels');
      const operator = node.firstChild?.nextSibling;
      const [left, right] = [resultOf(node.firstChild, scope), resultOf(node.lastChild, scope)];
      return binaryResult(operator ? text(operator) : '', [left, right], on ? new Set(names(on)) : null);
    }
    default:
      throw new Error(`${node?.name} isn't known here: ${scope.expression}`);
  }

  function names(labels: SyntaxNode): string[] {
    return labels.getChildren('LabelName').map(text);
  }
}

function textOf(node: SyntaxNode, { expression }: Scope): string {
  return expression.slice(node.from, node.to);
}

function inside(node: SyntaxNode, name: string): SyntaxNode {
  const child = node.getChild(name);
  if (child === null) throw new Error(`${node.name} has no ${name}`);
  return child;
}

function vector(value: Value): readonly Sample[] {
  if (typeof value === 'number') throw new Error('a number stands where series are needed');
  return value;
}

/** Returns the series of a selector, such as `notif_connected{to="slack"}`, cut to the values of a range. */
function selectedSeries(node: SyntaxNode, scope: Scope, rangeS: number): Series[] {
  const text = (inner: SyntaxNode) => textOf(inner, scope);
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
    const [name, operator, quoted] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
      text(inside(matcher, part)),
    );
    const value = `${quoted}`.slice(1, -1);
    if (operator !== '=' && operator !== '=~') throw new Error(`${operator} isn't known here`);
    const isFit = (label: string) => (operator === '=' ? label === value : new RegExp(`^(?:${value})$`).test(label));
    return (labels: Labels) => isFit(labels[`${name}`] ?? '');
  });
  const last = Math.floor(scope.at / STEP_S);
  const first = Math.max(0, Math.ceil((scope.at - rangeS) / STEP_S));
  return scope.series
    .filter(({ labels }) => labels.__name__ === text(inside(node, 'Identifier')) && matchers.every((is) => is(labels)))
    .map(({ labels, values }) => ({ labels, values: values.slice(first, last + 1) }));
}

function callResult(name: string, argument: SyntaxNode | null, scope: Scope): Value {
  if (name === 'time') return scope.at;
  if (argument?.name === 'MatrixSelector') return rangeResult(name, argument, scope);
  const samples = vector(resultOf(argument, scope));
  if (name === 'absent') return samples.length > 0 ? [] : [{ labels: {}, value: 1 }];
  if (name === 'abs') return samples.map(({ labels, value }) => ({ labels: nameless(labels), value: Math.abs(value) }));
  throw new Error(`${name} isn't known here`);
}

/** Returns the result of a function of a range: `increase(name[5m])`. Unlike Prometheus', an increase isn't extrapolated. */
function rangeResult(name: string, range: SyntaxNode, scope: Scope): Sample[] {
  const minutes = Number(/\[(\d+)m\]$/.exec(textOf(range, scope))?.[1]);
  return selectedSeries(inside(range, 'VectorSelector'), scope, minutes * 60).flatMap(({ labels, values }) => {
    const there = values.flatMap((value) => (value === null || Number.isNaN(value) ? [] : value));
    const [first, last] = [there[0], there.at(-1)];
    if (first === undefined || last === undefined) return [];
    if (name === 'increase') return [{ labels: nameless(labels), value: last - first }];
    if (name === 'count_over_time') return [{ labels: nameless(labels), value: there.length }];
    throw new Error(`${name} isn't known here`);
  });
}

const nameless = ({ __name__, ...labels }: Labels): Labels => labels;

function aggregateResult(operator: string, samples: readonly Sample[], grouping: ReadonlySet<string>): Sample[] {
  const reduce: Readonly<Record<string, (values: readonly number[]) => number>> = {
    max: (values) => Math.max(...values),
    min: (values) => Math.min(...values),
    sum: (values) => values.reduce((sum, value) => sum + value, 0),
    count: (values) => values.length,
  };
  const groups = new Map(samples.map(({ labels }) => [keyOf(labels, grouping), among(labels, grouping)]));
  return [...groups].map(([key, labels]) => {
    const grouped = samples.filter((sample) => keyOf(sample.labels, grouping) === key);
    const value = reduce[operator]?.(grouped.map((sample) => sample.value));
    if (value === undefined) throw new Error(`${operator} isn't known here`);
    return { labels, value };
  });
}

function among(labels: Labels, grouping: ReadonlySet<string>): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => grouping.has(name)));
}

/** Returns a key of the labels that are grouped by, or else of all but the metric's name. */
export function keyOf(labels: Labels, grouping: ReadonlySet<string> | null = null): string {
  return JSON.stringify(Object.entries(grouping === null ? nameless(labels) : among(labels, grouping)).sort());
}

const FIT: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '==': (left, right) => left === right,
};

/** `on` are the labels by which both sides are matched, or null for all of them. */
function binaryResult(operator: string, [left, right]: readonly [Value, Value], on: ReadonlySet<string> | null): Value {
  const fits = FIT[operator];
  if (fits !== undefined && typeof right === 'number') return vector(left).filter(({ value }) => fits(value, right));
  if (operator === '-' && typeof left === 'number')
    return vector(right).map(({ labels, value }) => ({ labels: nameless(labels), value: left - value }));
  const [ours, theirs] = [vector(left), vector(right)];
  const isIn = (there: readonly Sample[]) => {
    const keys = new Set(there.map(({ labels }) => keyOf(labels, on)));
    return ({ labels }: Sample) => keys.has(keyOf(labels, on));
  };
  if (operator === 'unless') return ours.filter((sample) => !isIn(theirs)(sample));
  if (operator === 'or') return [...ours, ...theirs.filter((sample) => !isIn(ours)(sample))];
  throw new Error(`${operator} isn't known here`);
}
