import { eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, PgDialect, pgTable, QueryBuilder } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { int8, json, knownText, names, stamp } from './columns.ts';
import { Dialect } from './dialect.ts';

const orders = pgTable('orders', { id: int8(), placedAt: stamp(), tags: names(), note: json(z.unknown(), () => null) });
const items = pgTable('items', { orderId: int8(), articleName: knownText() });
const earlier = alias(orders, 'earlier');

const CASING = { casing: 'snake_case' } as const;
const drizzle = new PgDialect(CASING);
const ours = new Dialect(CASING);

function expectSame(make: (from: QueryBuilder) => SQLWrapper): void {
  const [theirs, own] = [drizzle, ours].map((dialect) => {
    const { typings: _, ...query } = dialect.sqlToQuery(make(new QueryBuilder(dialect)).getSQL());
    return query;
  });
  expect(own).toEqual(theirs);
}

const { template } = fc.letrec<{ template: SQL; piece: unknown }>((tie) => ({
  template: fc
    .tuple(fc.array(tie('piece'), { maxLength: 4 }), fc.array(fc.string(), { minLength: 5, maxLength: 5 }))
    .map(([pieces, texts]) => sql(Object.assign(texts, { raw: texts }), ...pieces)),
  piece: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.date({ noInvalidDate: true }),
    ),
    fc.constantFrom<unknown>(orders, earlier, orders.placedAt, earlier.note, items.articleName),
    fc.string().map((name) => sql.identifier(name)),
    fc.string().map((name) => sql.placeholder(name)),
    fc.jsonValue().map((value) => sql.param(value, orders.note)),
    fc.array(fc.string()).map((tags) => sql.param(tags, orders.tags)),
    fc
      .integer()
      .map((id) =>
        inArray(
          orders.id,
          new QueryBuilder(CASING).select({ id: items.orderId }).from(items).where(eq(items.orderId, id)),
        ),
      ),
    fc.array(tie('piece'), { maxLength: 3 }),
    tie('template'),
  ),
}));

test('A template is the statement that drizzle makes of it', () => {
  fc.assert(fc.property(template, (any) => expectSame(() => any)));
});

test.each<[what: string, make: (from: QueryBuilder) => SQLWrapper]>([
  ['all of a table', (from) => from.select().from(orders).where(eq(orders.id, 1)).orderBy(orders.placedAt).limit(2)],
  ['some of it, with another name', (from) => from.select({ key: orders.id, placedAt: orders.placedAt }).from(orders)],
  ['all of a table by another name', (from) => from.select().from(earlier).where(eq(earlier.id, 1))],
  ['two tables', (from) => from.select().from(orders).leftJoin(items, eq(items.orderId, orders.id))],
  ['a table beside itself', (from) => from.select().from(orders).innerJoin(earlier, eq(earlier.id, orders.id))],
  [
    'some of two tables',
    (from) => from.select({ orders, name: items.articleName }).from(orders).innerJoin(items, sql`true`),
  ],
  [
    'what is calculated',
    (from) => from.select({ id: orders.id, later: sql`${orders.placedAt} + 1`.as('later') }).from(orders),
  ],
  ['a selection', (from) => from.select().from(from.select().from(orders).as('chosen'))],
])('A selection of %s is the statement that drizzle makes of it', (_, make) => {
  expectSame(make);
});

test('A column of another table than the selected one is refused', () => {
  const wrong = () => new QueryBuilder(ours).select({ name: items.articleName }).from(orders).getSQL();
  expect(wrong).toThrow('is not part of the query');
});
