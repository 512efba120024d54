import type { Explanation } from '../lib/errors.ts';

/** `about` is shown after what was found. */
export interface Finding extends Explanation {
  is: 'problem' | 'unknown' | 'advice';
  about: readonly Concerned[];
}

/** A `word` is shown as code. */
interface Concerned {
  kind: 'channel' | 'person' | 'user-group' | 'word';
  id: string;
}

const finding =
  (is: Finding['is']) =>
  (what: string, next: string, about: readonly Concerned[] = []): Finding => ({ is, what, next, about });

export const problem = finding('problem');
export const unknown = finding('unknown');
export const advice = finding('advice');

export const inChannel = (id: string): Concerned[] => [{ kind: 'channel' as const, id }];
