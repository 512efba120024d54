interface SignaledProcess {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  emit(event: 'SIGHUP', signal: 'SIGHUP'): unknown;
  exit(code: number): void;
}

/**
 * Handles signals until there is something to stop: SIGTERM and SIGINT end the process with 0, and SIGHUP waits. Returns the function that
 * ends this, to be called once others handle them. Without a handler the first process of a container gets no SIGTERM, and SIGHUP ends any.
 */
export function holdSignals(host: SignaledProcess): () => void {
  let isReloadDue = false;
  const stop = (): void => host.exit(0);
  const wait = (): void => {
    isReloadDue = true;
  };
  host.on('SIGTERM', stop);
  host.on('SIGINT', stop);
  host.on('SIGHUP', wait);
  return () => {
    host.off('SIGTERM', stop);
    host.off('SIGINT', stop);
    host.off('SIGHUP', wait);
    if (isReloadDue) host.emit('SIGHUP', 'SIGHUP');
  };
}
