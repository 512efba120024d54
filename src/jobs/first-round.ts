/** Calls `onEnd` once, when every environment was polled and what it found is announced: the heartbeat would come a poll interval later. */
export function createFirstRound(environments: readonly string[], onEnd: () => Promise<void>) {
  const unpolled = new Set(environments);
  let isOver = false;
  return {
    polled: (environment: string): void => void unpolled.delete(environment),

    async announcing<Result>(announce: () => Promise<Result>): Promise<Result> {
      const isLast = unpolled.size === 0;
      const result = await announce();
      if (!isLast || isOver) return result;
      isOver = true;
      await onEnd();
      return result;
    },
  };
}
