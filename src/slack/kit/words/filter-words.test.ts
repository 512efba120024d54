import { expect, test } from 'vitest';
import { ALL_FAILURES, FAILURE_FILTERS, FILTER_NAMES } from '../../../failures/filter.ts';
import { filterWords } from './filter-words.ts';

test.each(FILTER_NAMES)('a filter of failures is named with its values: %s', (name) => {
  const words = filterWords({ ...ALL_FAILURES, [name]: ['one', 'two'] });
  expect(`${words}`).toBe(`Only ${FAILURE_FILTERS[name].noun} \`one\` or \`two\``);
});
