import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DatabaseThread, startThread } from './thread.ts';

const WORKER = pathToFileURL(join(import.meta.dirname, 'worker-in-trouble.testing.mjs'));

/**
 * Starts a thread whose disk is in the trouble that `file` holds: an error code, or for how many milliseconds each write takes. An empty
 * file is a disk in order.
 */
export function startInTrouble(file: string): DatabaseThread {
  // The variables of a thread are its own.
  const module = `process.env.DISK_TROUBLE = ${JSON.stringify(file)}; await import(${JSON.stringify(WORKER)});`;
  return startThread(new URL(`data:text/javascript,${encodeURIComponent(module)}`));
}
