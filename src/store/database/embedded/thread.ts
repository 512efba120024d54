import type { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { EmbeddedDatabaseEndedError } from '../errors.ts';
import { createWire } from './wire.ts';

/** `bytes`: one message of PostgreSQL's wire protocol. `end`: a connection is over. Answered in order. */
export type ToThread =
  | { readonly open: string }
  | { readonly connection: number; readonly bytes: Uint8Array }
  | { readonly end: number }
  | { readonly close: true };

/** `failed`: PostgreSQL's words where it couldn't be opened, or a message that broke it. `panic`: nothing is answered after it. */
export type FromThread =
  | { readonly opened: true }
  | { readonly connection: number; readonly bytes: Uint8Array }
  | { readonly closed: true }
  | { readonly failed: string }
  | { readonly panic: string };

/** The thread that runs the embedded database, so that no statement blocks the event loop. */
export interface DatabaseThread {
  /** Opens the database in a folder. Rejects with PostgreSQL's reason, or with an `EmbeddedDatabaseEndedError`. */
  open(dataDir: string): Promise<void>;
  /** Returns what a driver takes for a socket to the database. One is used at a time. */
  connect(): Duplex;
  /** Closes the database after what was asked before. */
  close(): Promise<void>;
  isRunning(): boolean;
  /** Resolves with the reason if the thread ends without being asked to. */
  readonly died: Promise<EmbeddedDatabaseEndedError>;
  /** Ends the thread, whatever it is doing. A second call does nothing. */
  end(): Promise<void>;
}

const isSource = import.meta.url.endsWith('.ts');
const FILE = new URL(isSource ? './worker-from-source.mjs' : './database-thread.js', import.meta.url);

/** Starts the thread, which keeps the process alive. */
export function startThread(file: URL = FILE): DatabaseThread {
  return threadOn(new Worker(file, { name: 'embedded database' }));
}

export function threadOn(worker: Pick<Worker, 'on' | 'postMessage' | 'terminate'>): DatabaseThread {
  const wires = new Map<number, Duplex>();
  let connections = 0;
  let ended: EmbeddedDatabaseEndedError | undefined;
  /** Settles the request to open or to close. */
  let settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  function endBecause(cause: unknown): EmbeddedDatabaseEndedError {
    ended ??= new EmbeddedDatabaseEndedError(cause);
    settle?.reject(ended);
    for (const wire of wires.values()) wire.destroy(ended);
    wires.clear();
    return ended;
  }

  const died = new Promise<EmbeddedDatabaseEndedError>((resolve) => {
    const onDeath = (cause: unknown): void => {
      const wasAsked = ended !== undefined;
      const reason = endBecause(cause);
      if (!wasAsked) resolve(reason);
    };
    worker.on('message', (message: FromThread) => {
      if ('bytes' in message) wires.get(message.connection)?.push(message.bytes);
      else if ('failed' in message) {
        if (settle === undefined) onDeath(new Error(message.failed));
        else settle.reject(new Error(message.failed));
      } else if ('panic' in message) {
        onDeath(new Error(message.panic));
        // It spins and would use a whole core until the process ends.
        void worker.terminate();
      } else settle?.resolve();
    });
    worker.on('messageerror', onDeath);
    worker.on('error', onDeath);
    worker.on('exit', (code) => onDeath(new Error(`its thread ended with exit code ${code}`)));
  });

  async function ask(message: ToThread): Promise<void> {
    if (ended !== undefined) throw ended;
    try {
      await new Promise<void>((resolve, reject) => {
        settle = { resolve, reject };
        worker.postMessage(message);
      });
    } finally {
      settle = undefined;
    }
  }

  return {
    open: (dataDir) => ask({ open: dataDir }),
    connect() {
      const connection = ++connections;
      const send = (message: ToThread): void => {
        if (ended === undefined) worker.postMessage(message);
      };
      const wire = createWire({
        send: (bytes) => send({ connection, bytes }),
        end: () => {
          if (wires.delete(connection)) send({ end: connection });
        },
      });
      wires.set(connection, wire);
      if (ended !== undefined) wire.destroy(ended);
      return wire;
    },
    close: () => ask({ close: true }),
    isRunning: () => ended === undefined,
    died,
    async end() {
      endBecause(new Error('it was closed'));
      await worker.terminate();
    },
  };
}
