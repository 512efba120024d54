import { Fragment, type ReactNode } from 'react';

/** Draws items that have no identity except their position, and no state. */
export function inOrder<Item>(items: readonly Item[], draw: (item: Item, index: number) => ReactNode): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: their place is all there is
  return items.map((item, index) => <Fragment key={index}>{draw(item, index)}</Fragment>);
}
