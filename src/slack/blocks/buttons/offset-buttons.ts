import type { Button } from '@slack/types';
import { button } from '../blocks.ts';

/** Offsets are counted from 0. */
interface OffsetPage {
  readonly offset: number;
  readonly shown: number;
  readonly pageSize: number;
  readonly hasNext: boolean;
}

interface Turns {
  readonly previous: string;
  readonly next: string;
  readonly write: (offset: number) => string;
}

/** `of`: "incidents". */
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
