import { isStillKept } from '../../lib/time/waiting.ts';

export interface RememberedParts {
  readonly keptMs: number;
  /** The oldest is forgotten beyond that. */
  readonly most: number;
  readonly now: () => Date;
}

/** At most once in some time for each key. A failed answer goes to the callers that wait for it, and isn't kept. */
export function remembering<Answer>(
  ask: (key: string) => Promise<Answer>,
  { keptMs, most, now }: RememberedParts,
): (key: string) => Promise<Answer> {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly since: number }>();
  return (key) => {
    const known = kept.get(key);
    const since = now().getTime();
    if (known !== undefined && isStillKept(known.since, keptMs, since)) return known.answer;
    const entry = { answer: ask(key), since };
    // A Map keeps insertion order: the first entry is the oldest.
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    entry.answer.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return entry.answer;
  };
}
