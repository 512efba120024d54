export interface RememberedParts {
  /** An answer is given again for this long. */
  readonly keptMs: number;
  /** The oldest answer is forgotten beyond so many. */
  readonly most: number;
  readonly now: () => Date;
}

/** Asks for each key at most once in some time. An answer that failed goes to those who wait for it, and isn't kept for the next. */
export function remembered<Answer>(
  ask: (key: string) => Promise<Answer>,
  { keptMs, most, now }: RememberedParts,
): (key: string) => Promise<Answer> {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined && now().getTime() < known.until) return known.answer;
    const entry = { answer: ask(key), until: now().getTime() + keptMs };
    // A Map keeps the order of insertion: the first is the oldest.
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
