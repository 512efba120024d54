/**
 * Something that runs by itself. A job carries nothing: what there is to do is in the tables, so one that is lost, doubled or
 * cut off costs nothing but time. None is retried: the next slot is the retry.
 */
export interface Job {
  /** Also its queue's name: letters, digits, `-` and `_`. Jobs of different names never wait for each other. */
  readonly name: string;
  /** It runs once in each slot of this length, over all replicas. At most 3600. */
  readonly everySeconds: number;
  /** Then its signal is aborted; what goes on regardless is given up some seconds later. */
  readonly timeoutSeconds: number;
  /** The signal is aborted at the timeout, and when Notif stops. An error that it throws is logged. */
  run(signal: AbortSignal): Promise<void>;
}
