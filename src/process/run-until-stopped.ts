import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../lib/logger.ts';

/** What runs: `start` can wait for as long as Slack is away, and `stop` can be called meanwhile. */
export interface Runnable {
  start(): Promise<void>;
  reload?(): Promise<void>;
  stop(): Promise<void>;
}

export interface HostProcess {
  on(event: string, listener: (argument: unknown) => void): unknown;
  exit(code: number): void;
}

export interface RunOptions {
  readonly host: HostProcess;
  readonly logger: Logger;
  readonly stopTimeoutMs: number;
}

export type Fail = (error: unknown) => void;

/** `start` can wait for long, and `stop` can be called meanwhile. It is stopped once; a second signal doesn't wait for that. */
export function runUntilStopped(create: (fail: Fail) => Promise<Runnable>, options: RunOptions): void {
  const { host, logger } = options;
  let exitCode: number | null = null;

  const end = async (code: number): Promise<void> => {
    const isFirst = exitCode === null;
    exitCode = Math.max(exitCode ?? 0, code);
    if (!isFirst) return;
    await stopInTime(created, options);
    host.exit(exitCode);
  };
  const fail: Fail = (err) => {
    logger.error({ err }, 'The process ends because of an error');
    void end(1);
  };
  const onSignal = (signal: unknown): void => {
    logger.info(
      { signal },
      exitCode === null ? 'The process was asked to stop' : 'The process was asked again to stop, and does',
    );
    if (exitCode === null) void end(0);
    else host.exit(1);
  };

  const onReload = (): void => {
    created
      .then((running) => running.reload?.())
      .then(() => logger.info({}, 'The configuration was read again'))
      .catch((err: unknown) => logger.error({ err }, "The configuration couldn't be read again; nothing changes"));
  };

  host.on('SIGHUP', onReload);
  host.on('SIGTERM', onSignal);
  host.on('SIGINT', onSignal);
  host.on('unhandledRejection', fail);
  host.on('uncaughtException', fail);
  const created = create(fail);
  created
    .then((running) => running.start())
    .catch((err: unknown) => {
      if (exitCode === null) fail(err);
      else logger.info({ err }, 'The start was cut off by the stop');
    });
}

/** Never fails and never takes longer than allowed, since the restart of the process waits for it. */
async function stopInTime(created: Promise<Runnable>, { logger, stopTimeoutMs }: RunOptions): Promise<void> {
  const nothingToStop = (): void => {};
  const stopped = created
    .then((running) => running.stop(), nothingToStop)
    .catch((err: unknown) => logger.error({ err }, 'Stopping failed'));
  const tooLong = wait(stopTimeoutMs, 'too long');
  if ((await Promise.race([stopped, tooLong])) === 'too long') {
    logger.error({ stopTimeoutMs }, 'Stopping takes too long; the process ends anyway');
  }
}
