import PQueue from 'p-queue';

/** Requests of one person that run at the same time; others wait. */
export const MOST_AT_ONCE = 8;

export type RequestLimits = (userId: string, work: () => Promise<void>) => Promise<void>;

/** Limits each person, since all share the service's and Slack's rate limits. */
export function createRequestLimits(): RequestLimits {
  const queues = new Map<string, PQueue>();
  return async (userId: string, work: () => Promise<void>) => {
    const queue = queues.get(userId) ?? new PQueue({ concurrency: MOST_AT_ONCE });
    queues.set(userId, queue);
    await queue.add(work);
    if (queue.size + queue.pending === 0) queues.delete(userId);
  };
}
