import type { ExplainCause } from '../causes/explain-cause.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Call, EventQuery, Page } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import type { Logger } from './logger.ts';

export interface EventReader {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
  clockAheadMs(): number | null;
}

/** Everything that polls is handed this. */
export interface PollingCtx {
  readonly db: Db;
  readonly service: (environment: string) => EventReader;
  readonly log: Logger;
  readonly explainCause: ExplainCause;
  readonly now: () => Date;
  readonly pollMs: number;
  readonly horizonMs: number;
  /** Keeps an environment's newest events in memory, to compare an incident's with. */
  readonly sampleTraffic: (environment: string, events: readonly TriggeredEvent[]) => void;
}
