/** Who asks at the same time shares an answer. Who asks later gets another. */
export function together<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let underway: Promise<Result> | null = null;
  return () => {
    underway ??= ask().finally(() => {
      underway = null;
    });
    return underway;
  };
}
