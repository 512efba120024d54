import type { WebClient } from '@slack/web-api';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { CheckNow } from '../health/status.ts';
import type { Environment } from '../lib/environment.ts';
import type { Logger } from '../lib/logger.ts';
import type { Operators } from '../lib/people.ts';
import type { Seal } from '../lib/seal.ts';
import type { Sleep } from '../lib/time/waiting.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Db } from '../store/db.ts';
import type { TriggerCtx } from '../triggers/send.ts';
import type { AccessControl } from './router/authorization.ts';

export interface SlackCtx {
  /** The first is the default. */
  readonly environments: readonly Environment[];
  readonly db: Db;
  readonly serviceOf: (environment: string) => NotificationService;
  readonly client: WebClient;
  /** Tries once: a repeated post would be a second message. */
  readonly deliveryClient: WebClient;
  readonly channels: Channels;
  readonly workspace: Workspace;
  readonly accessControl: AccessControl;
  readonly operators: Operators;
  readonly seal: Seal;
  readonly reporter: TriggerCtx['reporter'];
  readonly explainCause: ExplainCause;
  readonly checkNow: CheckNow;
  readonly wakeDelivery: () => Promise<void>;
  readonly wakeAnnouncing: () => Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
  /** Five characters. */
  readonly newReference: () => string;
  readonly newId: () => string;
  readonly retentionDays: number;
  readonly horizonMs: number;
}
