import type { Button } from '@slack/types';
import { button } from '../blocks.ts';

/** A page of a list by offsets, counted from 0: `shown` rows of `pageSize` at most, from `offset` on. */
interface OffsetPage {
  readonly offset: number;
  readonly shown: number;
  readonly pageSize: number;
  readonly hasNext: boolean;
}

/** The buttons' IDs, and how to encode an offset as a value. */
interface Turns {
  readonly previous: string;
  readonly next: string;
  readonly write: (offset: number) => string;
}

/** Builds [Previous incidents] on a page after the first, and [Next incidents] if rows follow after those shown. `of`: "incidents". */
export function offsetButtons(
  of: string,
  { offset, shown, pageSize, hasNext }: OffsetPage,
  { previous, next, write }: Turns,
): Button[] {
  return [
    ...(offset > 0 ? [button(`Previous ${of}`, previous, write(Math.max(0, offset - pageSize)))] : []),
    ...(hasNext ? [button(`Next ${of}`, next, write(offset + shown))] : []),
  ];
}
