/**
 * A background task. A job carries no data: the work to do is in the tables, so a job that is lost, doubled or cut off only costs time.
 * Jobs aren't retried: the next run is the retry.
 */
export interface BackgroundJob {
  /** Jobs of different names never wait for each other. */
  readonly name: string;
  /** The environment whose replica runs the job; null for the replica that runs the installation's jobs. */
  readonly environment: string | null;
  readonly everySeconds: number;
  /** When this runs out, the job's signal is aborted. A job that is still running some seconds later isn't waited for. */
  readonly timeoutSeconds: number;
  /** The signal aborts at the timeout and when Notif stops. Errors are logged. */
  run(signal: AbortSignal): Promise<void>;
}
