import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Traffic } from '../failures/labels.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Db } from '../store/db.ts';
import type { Logger } from './logger.ts';

export interface Ctx {
  db: Db;
  logger: Logger;
  now: () => Date;
}

export type EventReader = Pick<NotificationService, 'retrieveEvent' | 'eventPages' | 'clockAheadMs'>;

export interface PollingCtx extends Ctx {
  serviceOf: (environment: string) => EventReader;
  explainCause: ExplainCause;
  pollMs: number;
  horizonMs: number;
  traffic: Traffic;
}
