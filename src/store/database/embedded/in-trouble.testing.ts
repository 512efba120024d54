import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DatabaseThread, startThread } from './thread.ts';

const WORKER = pathToFileURL(join(import.meta.dirname, 'worker-in-trouble.testing.mjs'));

/**
 * Starts a thread whose disk fails as `file` says: an error code, or the milliseconds that each write takes. An empty file means a healthy
 * disk.
 */
export function startInTrouble(file: string): DatabaseThread {
  // A thread has its own environment variables.
  const module = `process.env.DISK_TROUBLE = ${JSON.stringify(file)}; await import(${JSON.stringify(WORKER)});`;
  return startThread(new URL(`data:text/javascript,${encodeURIComponent(module)}`));
}
