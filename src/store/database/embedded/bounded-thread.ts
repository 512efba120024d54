import { StoreTroubleError } from '../../../domain/health/store-trouble.ts';
import type { StatementResult } from '../database.ts';
import type { DatabaseThread } from './thread.ts';

/**
 * Bounds each request to the thread: one not answered within `boundMs` rejects with a `StoreTroubleError`. The thread isn't stopped by
 * that, and what it finishes later is done. A transaction whose turn comes too late is left again at once.
 */
export function boundedThread(thread: DatabaseThread, boundMs: number): DatabaseThread {
  return {
    ...thread,
    ask: (request) => {
      const answer = thread.ask(request);
      return inTime(answer, boundMs, () => {
        const abandoned = request.kind === 'enter' ? answer.then(() => leave(thread, request.transaction)) : answer;
        // The caller already has a reason: the timeout.
        abandoned.catch(() => {});
      });
    },
  };
}

const leave = (thread: DatabaseThread, transaction: number): Promise<StatementResult> =>
  thread.ask({ kind: 'leave', transaction, outcome: 'rollback' });

/** If the event loop itself was blocked, the answer may arrive together with the timeout; the answer takes precedence. */
function inTime(answer: Promise<StatementResult>, boundMs: number, onLate: () => void): Promise<StatementResult> {
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
