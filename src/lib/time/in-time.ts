/** Waits for some milliseconds, or less if the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The answer is still awaited: its later error goes nowhere. Rejects with its earlier error. */
export async function inTime<Answer, Other>(
  answer: Promise<Answer>,
  { ms, instead }: { readonly ms: number; readonly instead: Other },
  sleep: Sleep,
): Promise<Answer | Other> {
  const answered = new AbortController();
  const late = sleep(ms, answered.signal).then(
    () => instead,
    () => instead,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
