export interface Running {
  close(): Promise<unknown>;
}

export interface Host {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
}

export interface Closing {
  add<Part extends Running>(part: Part): Part;
  /** Closes everything; repeated calls wait for the first. */
  close(): Promise<void>;
  /** Whether closing has begun. If so, a process that ends was asked to. */
  readonly begun: boolean;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Collects started parts and closes them on Ctrl-C or when the terminal closes. The process then exits with code 0, or with 1 if something
 * couldn't be closed. A second Ctrl-C exits at once with code 130.
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
