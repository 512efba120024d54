import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a file of this folder in its own process, which ends when its channel is closed. */
export function startChild(file: string, ...args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: ['--expose-gc', '--import', 'tsx'],
    serialization: 'advanced',
  });
}

/** Returns a child's next message. Rejects if it ends without one. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const ended = once(child, 'exit', { signal: stop.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended early, with ${code}. What it printed says why.`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: stop.signal }), ended]);
    return message;
  } finally {
    stop.abort();
  }
}
