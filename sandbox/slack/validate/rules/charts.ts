import { isDeepStrictEqual } from 'node:util';
import { objectIn, objectsIn } from '../../json.ts';
import { problem } from '../problem.ts';
import { ofType, type Placed, placedIn } from './placed.ts';
import type { Rule } from './rule.ts';

/** The series of a chart have unique names. */
export const uniqueSeries: Rule = ({ blocks }) =>
  ofType(blocks, 'data_visualization').flatMap((chart) => {
    const series = seriesOf(chart);
    const names = series.map(({ object }) => object.name);
    return series.flatMap(({ object: { name }, at }, index) => {
      if (typeof name !== 'string' || names.indexOf(name) === index) return [];
      const message = `\`name\` "${name}" already exists`;
      return [problem(`${at}/name`, 'duplicate_name', message, { expected: ['unique'], got: name })];
    });
  });

/** Each series has one point for each category of the axis, and no others. */
export const pointPerCategory: Rule = ({ blocks }) =>
  ofType(blocks, 'data_visualization').flatMap((chart) => {
    const categories = categoriesOf(chart);
    const unlike = seriesOf(chart).filter(({ object }) => !areSame(labelsOf(object), categories));
    const message = 'must have one data point for each category';
    return unlike.map(({ object, at }) =>
      problem(`${at}/data`, 'unlike_categories', message, { expected: categories, got: labelsOf(object).join(', ') }),
    );
  });

function seriesOf({ object, at }: Placed): readonly Placed[] {
  return placedIn(objectIn(object, 'chart').series, `${at}/chart/series`);
}

function categoriesOf({ object }: Placed): readonly string[] {
  const { categories } = objectIn(objectIn(object, 'chart'), 'axis_config');
  return Array.isArray(categories) ? categories.filter((each) => typeof each === 'string') : [];
}

function labelsOf(series: unknown): readonly string[] {
  return objectsIn(series, 'data').flatMap(({ label }) => (typeof label === 'string' ? [label] : []));
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return isDeepStrictEqual(some.toSorted(), others.toSorted());
}
