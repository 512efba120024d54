/** How long a database can take, and how soon its problems are noticed. Milliseconds; docs/guarantees.md gives the defaults. */
export interface StoreBounds {
  /** The bound of one statement, including its wait. A server that is gone without notice has a third more. */
  readonly statementMs: number;
  /** The bound of one probe: longer than any statement of Notif's takes, shorter than a statement's own bound. */
  readonly probeMs: number;
  readonly lookMs: number;
  /** Pause between two checks of a failing database. */
  readonly lookAgainMs: number;
}

/** No statement of Notif's takes over a second; one that takes fifteen is stuck behind a lock or a failing disk or server. */
export const BOUNDS: StoreBounds = {
  statementMs: 15_000,
  probeMs: 10_000,
  lookMs: 5_000,
  lookAgainMs: 1_000,
};
