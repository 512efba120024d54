/**
 * A background task. A job carries no data: the work to do is in the tables, so a job that is lost, doubled or cut off only costs time.
 * Jobs aren't retried: the next slot is the retry.
 */
export interface BackgroundJob {
  /** Also its key in the queue that all jobs share. Jobs of different names never wait for each other. */
  readonly name: string;
  /** The job runs once in each slot of this length, across all replicas. At most 3600. */
  readonly everySeconds: number;
  /** When this runs out, the job's signal is aborted. The queue gives up on a job that is still running some seconds later. */
  readonly timeoutSeconds: number;
  /** The signal aborts at the timeout and when Notif stops. Errors are logged. */
  run(signal: AbortSignal): Promise<void>;
}
