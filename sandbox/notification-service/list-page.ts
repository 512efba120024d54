import type { Random } from './random.ts';
import type { Row, Span } from './rows-in-order.ts';
import type { Timeline, Wanted } from './store.ts';
import type { World } from './world.ts';

interface Asked {
  span: Span;
  skip: number;
  limit: number;
  wanted: Wanted;
}

/**
 * Returns a page of the wanted rows in the order of the service's behavior. Any order except newest first with stable ties has to look at
 * all wanted rows.
 */
export function pageInOrder<R extends Row>(world: World, rows: Timeline<R>, { span, skip, limit, wanted }: Asked): R[] {
  const { order, ties } = world.behavior;
  if (order === 'newest first' && ties === 'stable') return rows.page(span, skip, limit, wanted);
  const all = rows.page(span, 0, Number.POSITIVE_INFINITY, wanted);
  if (order === 'oldest first') all.reverse();
  const ordered = ties === 'shuffled' ? withShuffledTies(all, world.random) : all;
  return ordered.slice(skip, skip + limit);
}

/** Returns the rows in their order, with those of the same millisecond shuffled. */
function withShuffledTies<R extends Row>(rows: readonly R[], random: Random): R[] {
  const places = new Map(rows.map((row) => [row, random.next()]));
  const moments = [...new Set(rows.map(({ at }) => at))];
  const moment = new Map(moments.map((at, index) => [at, index]));
  const momentOf = ({ at }: R) => moment.get(at) ?? 0;
  return rows.toSorted((a, b) => momentOf(a) - momentOf(b) || (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** Returns the entity without these fields. */
export function lacking(served: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof served !== 'object' || served === null) return served;
  return Object.fromEntries(Object.entries(served).filter(([name]) => !fields.includes(name)));
}
