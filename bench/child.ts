import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a file of this folder in a process of its own, so that its work is not counted. It ends when the channel to it is closed. */
export function startChild(file: string, ...args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: ['--expose-gc', '--import', 'tsx'],
    serialization: 'advanced',
  });
}

/** What a child tells next. Rejects when it ends without a word. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const told = new AbortController();
  const ended = once(child, 'exit', { signal: told.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended early, with ${code}. What it printed says why.`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: told.signal }), ended]);
    return message;
  } finally {
    told.abort();
  }
}
