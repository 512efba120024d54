/** What waits and runs of the requests to one environment's service, in this process. */
export interface RequestLoad {
  readonly waiting: number;
  /** Those of the waiting that people wait for. */
  readonly waitingPeople: number;
  readonly running: number;
  /** Requests left in the service's current window, by its last answer; null until it tells. */
  readonly remaining: number | null;
}
