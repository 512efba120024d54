import type { Environment } from '../environment.ts';
import type { ServiceError } from '../errors.ts';
import type { FailureFilter } from '../failures/failure-filter.ts';
import type { FailureSummary } from '../failures/tally.ts';
import type { Freshness } from '../polling/check.ts';
import type { TimeRange } from '../time/time-range.ts';

/** The failures of a span of time, and exactly what of the span that was asked for the answer covers. */
export interface FailuresFound {
  readonly environment: Environment;
  readonly filter: FailureFilter;
  readonly asked: TimeRange;
  readonly freshness: Freshness;
  /** What was read completely; equal to `asked` when all was. */
  readonly read: TimeRange;
  /** The older part that was not read, to go on with; null when there is none. */
  readonly unread: TimeRange | null;
  /** What within `read` belongs to gaps: what is still to be read, and what stays unread. */
  readonly gaps: { readonly unread: readonly TimeRange[]; readonly givenUp: readonly TimeRange[] };
  /** What kept a part from being read. */
  readonly trouble: ServiceError | null;
  readonly summary: FailureSummary;
}
