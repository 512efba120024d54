/** Does nothing while work with the same key is underway. Rejects with the work's error. */
export type OnceAtATime = (key: readonly unknown[], work: () => Promise<void>) => Promise<void>;

/** In this process. The second click has no answer of its own. */
export function onceAtATime(): OnceAtATime {
  const underway = new Set<string>();
  return async (key, work) => {
    const which = JSON.stringify(key);
    if (underway.has(which)) return;
    underway.add(which);
    try {
      await work();
    } finally {
      underway.delete(which);
    }
  };
}
