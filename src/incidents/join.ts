import { DAY_MS } from '../lib/time/durations.ts';

/** How far from an incident's failures another one of its cause still belongs to it. */
export const SAME_INCIDENT_MS = DAY_MS;

/** What may take more failures: the kept incidents of a key, as far as that is decided here. */
export interface Joinable {
  readonly id: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** From then on its failures belong to another: a recipient's own trouble that is over doesn't relapse. Null: it may. */
  readonly closedAt: Date | null;
}

export interface Joined<Item> {
  readonly joined: readonly { readonly item: Item; readonly id: number }[];
  /** Each begins an incident, with its failures in the order of time. */
  readonly begun: readonly (readonly Item[])[];
}

/** Each failure joins the newest incident of its key that it is within a day of, the earliest failure first, or else begins one. */
export function join<Item extends { readonly occurredAt: Date }>(
  items: readonly Item[],
  known: readonly Joinable[],
): Joined<Item> {
  const spans = known.map((incident) => ({ ...incident, items: [] as Item[] }));
  const begun: { firstAt: Date; lastAt: Date; items: Item[] }[] = [];
  for (const item of items.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())) {
    const open = spans.filter(({ closedAt }) => closedAt === null || item.occurredAt <= closedAt);
    const span = [...begun, ...open.toSorted((a, b) => b.id - a.id)].find((one) => isNear(item.occurredAt, one));
    if (span === undefined) {
      begun.unshift({ firstAt: item.occurredAt, lastAt: item.occurredAt, items: [item] });
      continue;
    }
    span.items.push(item);
    if (item.occurredAt < span.firstAt) span.firstAt = item.occurredAt;
    if (item.occurredAt > span.lastAt) span.lastAt = item.occurredAt;
  }
  return {
    joined: spans.flatMap(({ id, items: own }) => own.map((item) => ({ item, id }))),
    begun: begun.toReversed().map(({ items: own }) => own),
  };
}

function isNear(at: Date, { firstAt, lastAt }: Pick<Joinable, 'firstAt' | 'lastAt'>): boolean {
  return at.getTime() >= firstAt.getTime() - SAME_INCIDENT_MS && at.getTime() <= lastAt.getTime() + SAME_INCIDENT_MS;
}
