import { Worker } from 'node:worker_threads';
import { type DrawPicture, PictureError, type PictureRequest } from '../domain/charts/picture.ts';
import type { PictureAnswer } from './protocol.ts';

/** Draws charts, one at a time, in a thread that exists only while there is something to draw. */
export interface Painter {
  readonly draw: DrawPicture;
  /** Ends the thread, even while it's drawing. */
  close(): Promise<void>;
}

export interface PainterOptions {
  /** The time limit for a picture. */
  readonly timeoutMs?: number;
  /** How long an idle thread is kept, so that another picture doesn't have to load the fonts. */
  readonly idleMs?: number;
  /** How many pictures can wait for the current one. */
  readonly mostWaiting?: number;
  readonly file?: URL;
}

const isSource = import.meta.url.endsWith('.ts');
const FILE = new URL(isSource ? './worker-from-source.mjs' : './chart-thread.js', import.meta.url);

/**
 * The thread's heap. A picture takes some 20 MB with both fonts. A small young generation is collected often instead of growing by 30 MB.
 */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

export function createPainter(options: PainterOptions = {}): Painter {
  const { timeoutMs = 15_000, idleMs = 30_000, mostWaiting = 5, file = FILE } = options;
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function start(): Worker {
    const worker = new Worker(file, { name: 'charts', resourceLimits: HEAP });
    // The thread doesn't keep the process alive.
    worker.unref();
    worker.on('exit', () => {
      if (thread === worker) thread = null;
    });
    // The caller that waits for a picture gets the error. Between pictures nobody waits for one.
    worker.on('error', () => {});
    return worker;
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = null;
    await ended?.terminate();
  }

  async function drawNext(request: PictureRequest): Promise<Uint8Array> {
    clearTimeout(idle);
    thread ??= start();
    const answer = answerOf(thread, timeoutMs);
    thread.postMessage(request);
    try {
      return await answer;
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(end, idleMs).unref();
    }
  }

  return {
    draw: async (request) => {
      if (waiting > mostWaiting) throw new PictureError('too many pictures are being drawn');
      waiting += 1;
      const drawn = last.then(() => drawNext(request));
      // The error goes to this picture's caller; the next picture only waits until this one has ended.
      last = drawn
        .catch(() => {})
        .finally(() => {
          waiting -= 1;
        });
      return drawn;
    },
    close: async () => {
      clearTimeout(idle);
      await end();
    },
  };
}

/** Returns the thread's next answer. Rejects if the thread ends or takes too long. */
function answerOf(thread: Worker, timeoutMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const fail = (why: string, cause?: unknown) => {
      settled.abort();
      reject(new PictureError(why, { cause }));
    };
    const timer = setTimeout(() => fail(`no picture within ${timeoutMs} ms`), timeoutMs);
    const onError = (cause: unknown) => fail('the thread that draws has failed', cause);
    const onExit = (code: number) => fail(`the thread that draws has ended with ${code}`);
    const onMessage = (answer: PictureAnswer) => {
      if ('failure' in answer) return fail('the picture could not be drawn', answer.failure);
      settled.abort();
      resolve(answer.png);
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    settled.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    });
  });
}
