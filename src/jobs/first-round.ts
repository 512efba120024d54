export interface FirstRound {
  /** Notes that an environment's poll has succeeded. */
  polled(environment: string): void;
  /** Announces, and afterwards ends the round if every environment had been polled before. */
  announcing<Result>(announce: () => Promise<Result>): Promise<Result>;
}

/**
 * Follows a process's first polls and what they have announced, and calls `onEnd` once when both are done: what depends on them, such as
 * the heartbeat, would otherwise come a poll interval later.
 */
export function createFirstRound(environments: readonly string[], onEnd: () => Promise<void>): FirstRound {
  const unpolled = new Set(environments);
  let isOver = false;
  return {
    polled: (environment) => void unpolled.delete(environment),
    async announcing(announce) {
      const isLast = unpolled.size === 0;
      const result = await announce();
      if (!isLast || isOver) return result;
      isOver = true;
      await onEnd();
      return result;
    },
  };
}
