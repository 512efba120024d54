import type { Logger } from '../lib/logger.ts';
import { inTime } from '../lib/time/waiting.ts';

export interface Runnable {
  start(): Promise<void>;
  backUp?(): Promise<void>;
  stop(): Promise<void>;
}

interface RunOptions {
  host: {
    on(event: string, listener: (argument: unknown) => void): unknown;
    exit(code: number): void;
  };
  logger: Logger;
  stopTimeoutMs: number;
  exitCodeOf: (error: unknown) => number;
}

/** Ends in time even if `stop` hangs: a supervisor restarts the process only then. */
export function runUntilStopped(
  create: (fail: (error: unknown) => void) => Promise<Runnable>,
  { host, logger, stopTimeoutMs, exitCodeOf }: RunOptions,
): void {
  let exitCode: number | null = null;

  async function end(code: number): Promise<void> {
    const isFirst = exitCode === null;
    exitCode = Math.max(exitCode ?? 0, code);
    if (!isFirst) return;
    // A failure of `create` has ended the process by itself.
    const stop = async () => (await created.catch(() => null))?.stop();
    const stopped = stop().catch((err: unknown) => logger.error({ err }, 'Stopping failed'));
    if ((await inTime(stopped, stopTimeoutMs, 'too long')) === 'too long')
      logger.error({ stopTimeoutMs }, 'Stopping takes too long; the process ends anyway');
    logger.info({ exitCode, seconds: Math.round(process.uptime()) }, 'Notif has stopped');
    host.exit(exitCode);
  }

  function fail(err: unknown): void {
    logger.error({ err }, 'The process ends because of an error');
    void end(exitCodeOf(err));
  }

  function onSignal(signal: unknown): void {
    logger.info({ signal }, 'The process was asked to stop');
    if (exitCode === null) void end(0);
    else host.exit(1);
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) host.on(signal, onSignal);
  host.on('SIGUSR2', () => {
    created.then((running) => running.backUp?.()).catch((err: unknown) => logger.error({ err }, 'The backup failed'));
  });
  // Otherwise Node opens its inspector, which runs any code.
  host.on('SIGUSR1', () => {});
  for (const event of ['unhandledRejection', 'uncaughtException']) host.on(event, fail);
  const created = create(fail);
  created
    .then((running) => running.start())
    .catch((err: unknown) => {
      if (exitCode === null) fail(err);
      else logger.info({ err }, 'The start was cut off by the stop');
    });
}
