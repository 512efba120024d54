import type { ActionsBlock } from '@slack/types';
import { actions, button } from '../blocks.ts';

/** A page of a list in newest-first order: the numbers of its rows in their order, and whether more follow. */
interface NumberedPage {
  readonly numbers: readonly number[];
  readonly hasOlder: boolean;
}

/** The buttons' IDs, and how to encode a request as a value. */
interface Turns<Request> {
  readonly older: string;
  readonly newest: string;
  readonly write: (request: Request) => string;
}

/** Builds [Older] if rows follow after those `shown`, and [Newest] on a page after the first. */
export function olderButtons<Request extends { readonly olderThan: number | null }>(
  { numbers, hasOlder }: NumberedPage,
  shown: number,
  request: Request,
  { older, newest, write }: Turns<Request>,
): ActionsBlock[] {
  const last = numbers[shown - 1];
  const isMore = last !== undefined && (hasOlder || shown < numbers.length);
  return actions([
    ...(isMore ? [button('Older', older, write({ ...request, olderThan: last }))] : []),
    ...(request.olderThan === null ? [] : [button('Newest', newest, write({ ...request, olderThan: null }))]),
  ]);
}
