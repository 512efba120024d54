import { FILTER_NAMES, type FilterName } from '../failures/filter.ts';
import type { SqlValue } from '../store/db.ts';

/** The filters by which deliveries are counted. */
export const COUNTED: readonly FilterName[] = ['workflows', 'channels', 'providers'];

/** Of a counted row `s`, with `countedValues` as $4, $5 and $6. */
export const IS_COUNTED = `($4::jsonb = '[]' OR $4::jsonb ? s.workflow) AND ($5::jsonb = '[]' OR $5::jsonb ? s.channel)
    AND ($6::jsonb = '[]' OR $6::jsonb ? s.provider)`;

/** Those of `filterValues` that deliveries have. */
export function countedValues(wanted: readonly SqlValue[]): SqlValue[] {
  return COUNTED.map((name) => wanted[FILTER_NAMES.indexOf(name)] ?? '[]');
}
