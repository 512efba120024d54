import { StoreTroubleError } from '../../../domain/health/store-trouble.ts';
import type { Answer } from '../database.ts';
import type { DatabaseThread } from './thread.ts';

/**
 * The thread, with a bound on each request: one that isn't answered within `boundMs` rejects with a `StoreTroubleError`. The thread
 * isn't stopped by that: what it finishes later it has done. A transaction whose turn comes too late is left again at once.
 */
export function boundedThread(thread: DatabaseThread, boundMs: number): DatabaseThread {
  return {
    ...thread,
    ask: (request) => {
      const answer = thread.ask(request);
      return inTime(answer, boundMs, () => {
        const abandoned = request.kind === 'enter' ? answer.then(() => leave(thread, request.transaction)) : answer;
        // The caller has been given the reason: that it wasn't answered in time.
        abandoned.catch(() => {});
      });
    },
  };
}

const leave = (thread: DatabaseThread, transaction: number): Promise<Answer> =>
  thread.ask({ kind: 'leave', transaction, outcome: 'rollback' });

/** Where the event loop itself was held up, the answer may have arrived together with the end of the bound: it goes first. */
function inTime(answer: Promise<Answer>, boundMs: number, onLate: () => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const expire = (): void => {
      onLate();
      reject(new StoreTroubleError('not-answering', new Error(`no answer within ${boundMs} ms`)));
    };
    let lastChance: NodeJS.Immediate | undefined;
    const bound = setTimeout(() => {
      lastChance = setImmediate(expire);
    }, boundMs);
    const clear = (): void => {
      clearTimeout(bound);
      clearImmediate(lastChance);
    };
    answer.finally(clear).then(resolve, reject);
  });
}
