import PQueue from 'p-queue';
import { InputError } from '../../lib/errors.ts';

export const MOST_AT_ONCE = 8;
const MOST_WAITING = 32;

/** Limits a person's requests: everybody shares the service's and Slack's rate limits. */
export function createRequestLimits() {
  const queues = new Map<string, PQueue>();
  return async (userId: string, work: () => Promise<void>): Promise<void> => {
    const queue = queues.get(userId) ?? new PQueue({ concurrency: MOST_AT_ONCE });
    if (queue.size >= MOST_WAITING)
      throw new InputError('share', 'Too many of your requests are waiting.', null, 'Wait until they are answered.');
    queues.set(userId, queue);
    await queue.add(work);
    if (queue.size + queue.pending === 0) queues.delete(userId);
  };
}
