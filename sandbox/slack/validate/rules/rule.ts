import type { Problem } from '../problem.ts';
import type { Placed } from './placed.ts';

export type Surface = 'message' | 'modal' | 'home';

/** All blocks of one message or view as received. They are objects, but nothing else is guaranteed. */
export interface Payload {
  readonly surface: Surface;
  /** The pointer of the blocks' list. */
  readonly at: string;
  /** In reading order, inner blocks after their parents. */
  readonly blocks: readonly Placed[];
}

/** A requirement of Slack's that a JSON Schema can't express. */
export type Rule = (payload: Payload) => readonly Problem[];
