/** Of this process. */
export interface RequestLoad {
  readonly waiting: number;
  readonly waitingPeople: number;
  readonly running: number;
  /** Requests left in the service's current window, by its last response; null if it says nothing lately. */
  readonly remaining: number | null;
}
