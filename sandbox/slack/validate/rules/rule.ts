import type { Problem } from '../problem.ts';
import type { Placed } from './placed.ts';

export type Surface = 'message' | 'modal' | 'home';

/** All blocks of one message or view, as they came: nothing but that they are objects is certain. */
export interface Payload {
  readonly surface: Surface;
  /** The pointer of the list that the blocks are in. */
  readonly at: string;
  /** In reading order, blocks inside blocks after those that hold them. */
  readonly blocks: readonly Placed[];
}

/** Something that Slack asks of blocks and a JSON Schema can't say. */
export type Rule = (payload: Payload) => readonly Problem[];
