import { setMaxListeners } from 'node:events';

/** Returns the controller whose signal aborts when the process stops. Each question that waits listens to it, so many listeners are no leak. */
export function createStopping(): AbortController {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  return stopping;
}

/**
 * Returns a signal that aborts after `ms` milliseconds, or with `stopping`. `AbortSignal.any` with a timeout doesn't do here: Node 20 collects
 * the timeout as garbage while only their combination is in use, which then never aborts.
 */
export function abortAfter(ms: number, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    stopping.removeEventListener('abort', end);
    controller.abort();
  };
  const timer = setTimeout(end, ms).unref();
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  return controller.signal;
}
