/** Groups are in the order of their first items, as those of `Map.groupBy` in newer Nodes. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

export function firstOfEach<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): readonly Item[] {
  return [...groupBy(items, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** In the order of their first items. */
export function lastOfEach<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** The most frequent key first. */
export function countsBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}
