import type { ExplainCause } from '../causes/explain-cause.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Db } from '../store/db.ts';
import type { Logger } from './logger.ts';

export interface Ctx {
  db: Db;
  logger: Logger;
  now: () => Date;
}

export type EventReader = Pick<NotificationService, 'retrieveEvent' | 'eventPages' | 'clockAheadMs'>;

export interface PollingCtx {
  db: Db;
  service: (environment: string) => EventReader;
  log: Logger;
  explainCause: ExplainCause;
  now: () => Date;
  pollMs: number;
  horizonMs: number;
  sampleTraffic: (environment: string, events: readonly TriggeredEvent[]) => void;
}
