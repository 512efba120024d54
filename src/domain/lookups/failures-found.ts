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
  /** What was read completely, except `gaps`; equal to `asked` if everything was. */
  readonly read: TimeRange;
  /** A part that was not read, to continue with; null if there is none, or only one that the next poll reads. */
  readonly unchecked: TimeRange | null;
  /** The parts of `read` that weren't read, such as gaps: still to be checked, or given up. */
  readonly gaps: { readonly unchecked: readonly TimeRange[]; readonly givenUp: readonly TimeRange[] };
  readonly trouble: ServiceError | null;
  readonly summary: FailureSummary;
}
