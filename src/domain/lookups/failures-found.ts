import type { Environment } from '../environment.ts';
import type { ServiceError } from '../errors.ts';
import type { FailureFilter } from '../failures/failure-filter.ts';
import type { FailureSummary } from '../failures/tally.ts';
import type { Freshness } from '../polling/check.ts';
import type { TimeRange } from '../time/time-range.ts';

export interface FailuresFound {
  readonly environment: Environment;
  readonly filter: FailureFilter;
  readonly asked: TimeRange;
  readonly freshness: Freshness;
  /** What was checked, except `gaps`; equal to `asked` if everything was, and empty if nothing. */
  readonly read: TimeRange;
  /** When Notif began to check the environment, if the range begins before that. */
  readonly since: Date | null;
  /** The parts of `read` that weren't read: still to be checked, or given up. */
  readonly gaps: { readonly unchecked: readonly TimeRange[]; readonly givenUp: readonly TimeRange[] };
  readonly trouble: ServiceError | null;
  readonly summary: FailureSummary;
}
