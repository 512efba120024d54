/** Something that runs and can be closed. */
export interface Running {
  close(): Promise<unknown>;
}

/**
 * Collects what was started, to close it in reverse order: on Ctrl-C (or when the terminal goes away), with exit code 0, or by
 * {@link Closing.close}. A second Ctrl-C does not wait.
 */
export interface Closing {
  add<Part extends Running>(part: Part): Part;
  close(): Promise<void>;
  /** Whether closing has begun: what ends now, ends because it was asked to. */
  readonly begun: boolean;
}

export function closeOnSignal(say: (line: string) => void): Closing {
  const parts: Running[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeInReverse(parts);
    return closing;
  };
  const onSignal = () => {
    if (closing !== undefined) process.exit(130);
    say('Stopping … (Ctrl-C again to stop at once)');
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('The sandbox did not stop cleanly.', error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return {
    add: (part) => {
      parts.push(part);
      return part;
    },
    close,
    get begun() {
      return closing !== undefined;
    },
  };
}

async function closeInReverse(parts: readonly Running[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}
