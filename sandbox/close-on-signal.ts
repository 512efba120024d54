/** Something that runs and can be closed. */
export interface Running {
  close(): Promise<unknown>;
}

/** The process, as far as signals and ending go. */
export interface Host {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
}

/** What was started, to be closed in reverse order. */
export interface Closing {
  add<Part extends Running>(part: Part): Part;
  /** Closes everything, once however often it is asked. */
  close(): Promise<void>;
  /** Whether closing has begun: what ends now, ends because it was asked to. */
  readonly begun: boolean;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Collects what is started and closes it on Ctrl-C, or when the terminal goes away. The process then ends with code 0, or with 1
 * when something could not be closed. A second Ctrl-C does not wait: code 130.
 */
export function closeOnSignal(host: Host): Closing {
  const parts: Running[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeInReverse(parts);
    return closing;
  };
  const onSignal = () => {
    if (closing !== undefined) return host.exit(130);
    console.log('Stopping … (Ctrl-C again to stop at once)');
    close().then(
      () => host.exit(0),
      (error: unknown) => {
        console.error('The sandbox did not stop cleanly.', error);
        host.exit(1);
      },
    );
  };
  for (const signal of signals) host.on(signal, onSignal);
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
