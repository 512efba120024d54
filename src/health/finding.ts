import type { Explanation } from '../lib/errors.ts';

export interface Finding extends Explanation {
  is: 'problem' | 'unknown' | 'advice';
  about: readonly Concerned[];
}

interface Concerned {
  kind: 'channel' | 'person' | 'user-group' | 'word';
  id: string;
}

export function problem(what: string, next: string, about: readonly Concerned[] = []): Finding {
  return { is: 'problem', what, next, about };
}

export function unknown(what: string, next: string): Finding {
  return { is: 'unknown', what, next, about: [] };
}

export function advice(what: string, next: string, about: readonly Concerned[] = []): Finding {
  return { is: 'advice', what, next, about };
}

export function concerned(ids: readonly string[], kind: Concerned['kind'] = 'word'): Concerned[] {
  return ids.map((id) => ({ kind, id }));
}
