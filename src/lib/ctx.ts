import type { ExplainCause } from '../causes/explain-cause.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Db } from '../store/db.ts';
import type { Logger } from './logger.ts';

export interface Ctx {
  readonly db: Db;
  readonly logger: Logger;
  readonly now: () => Date;
}

export type EventReader = Pick<NotificationService, 'retrieveEvent' | 'eventPages' | 'clockAheadMs'>;

export interface PollingCtx {
  readonly db: Db;
  readonly service: (environment: string) => EventReader;
  readonly log: Logger;
  readonly explainCause: ExplainCause;
  readonly now: () => Date;
  readonly pollMs: number;
  readonly horizonMs: number;
  readonly sampleTraffic: (environment: string, events: readonly TriggeredEvent[]) => void;
}
