import { Worker } from 'node:worker_threads';
import type { StatementResult } from '../database.ts';
import { EmbeddedDatabaseEndedError, StatementError } from '../errors.ts';
import type { Answered, Panicked, Request, SentRequest } from './protocol.ts';

/** The thread that runs the embedded database, so that no statement blocks the event loop. */
export interface DatabaseThread {
  /** Rejects with a `StatementError` if the database refuses, and with an `EmbeddedDatabaseEndedError` if the thread has ended. */
  ask(request: Request): Promise<StatementResult>;
  isRunning(): boolean;
  /** Resolves with the reason if the thread ends without being asked to. */
  readonly died: Promise<EmbeddedDatabaseEndedError>;
  /** Ends the thread, whatever it is doing. A second call does nothing. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: Error) => void;
}

const isSource = import.meta.url.endsWith('.ts');
const FILE = new URL(isSource ? './worker-from-source.mjs' : './database-thread.js', import.meta.url);

/** Starts the thread; its database opens at the first request. The thread keeps the process alive. */
export function startThread(file: URL = FILE): DatabaseThread {
  const worker = new Worker(file, { name: 'embedded database' });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: EmbeddedDatabaseEndedError | undefined;

  function endBecause(cause: unknown): EmbeddedDatabaseEndedError {
    ended ??= new EmbeddedDatabaseEndedError(cause);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    return ended;
  }
  const died = new Promise<EmbeddedDatabaseEndedError>((resolve) => {
    const onDeath = (cause: unknown): void => {
      const wasAsked = ended !== undefined;
      const reason = endBecause(cause);
      if (!wasAsked) resolve(reason);
    };
    worker.on('message', (message: Answered | Panicked) => {
      if ('panic' in message) {
        onDeath(new Error(message.panic));
        // It spins and would use a whole core until the process ends.
        void worker.terminate();
        return;
      }
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    });
    worker.on('messageerror', onDeath);
    worker.on('error', onDeath);
    worker.on('exit', (code) => onDeath(new Error(`its thread ended with exit code ${code}`)));
  });

  function send(request: Request): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const asked: SentRequest = { id: ++lastId, request };
      worker.postMessage(asked);
      waiting.set(asked.id, { resolve, reject });
    });
  }

  return {
    async ask(request) {
      if (ended !== undefined) throw ended;
      const answered = await send(request);
      if ('failure' in answered) throw new StatementError(answered.failure);
      return answered.answer;
    },
    isRunning: () => ended === undefined,
    died,
    async end() {
      endBecause(new Error('it was closed'));
      await worker.terminate();
    },
  };
}
