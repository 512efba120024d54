/** How long a database may take, and how soon its trouble is noticed. Milliseconds; docs/guarantees.md states the usual ones. */
export interface StoreBounds {
  /** One statement, its turn to run included. A server that's gone without a word has a third more. */
  readonly statementMs: number;
  /** The answer to one probe: longer than any statement of Notif's takes, shorter than a statement's own bound. */
  readonly probeMs: number;
  /** Between two looks at a database that works. */
  readonly lookMs: number;
  /** Between two looks at one in trouble. */
  readonly lookAgainMs: number;
}

/** No statement of Notif's takes more than a second; one that takes fifteen is stuck behind a lock or a dying disk or server. */
export const BOUNDS: StoreBounds = {
  statementMs: 15_000,
  probeMs: 10_000,
  lookMs: 5_000,
  lookAgainMs: 1_000,
};
