import type { WebClient } from '@slack/web-api';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { IntegrationReader } from '../changes/changes.ts';
import type { CheckNow } from '../health/check.ts';
import type { Environment } from '../lib/environment.ts';
import type { Logger } from '../lib/logger.ts';
import type { Operators } from '../lib/people.ts';
import type { Seal } from '../lib/seal.ts';
import type { JsonObject } from '../lib/text/payload.ts';
import type { Sleep } from '../lib/time/waiting.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import type { EventLookup } from '../lookups/event.ts';
import type { EventLister } from '../lookups/event-list.ts';
import type { MessageReader, SubscriptionReader } from '../lookups/lists.ts';
import type { EventPages } from '../lookups/typed-lookup.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Call } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import type { CredentialsCtx } from '../triggers/credentials.ts';
import type { TriggerCtx } from '../triggers/follow.ts';
import type { AccessControl } from './router/authorization.ts';
import type { PostNotice } from './router/post-notice.ts';

/** Everything that Notif reads of the service for people. */
type ServiceReader = EventLookup &
  EventLister &
  EventPages &
  IntegrationReader &
  MessageReader &
  SubscriptionReader & {
    /** The service's own answer, masked. Null if it no longer has the event. */
    eventAnswer(event: Pick<TriggeredEvent, 'id' | 'transactionId'>, call: Call): Promise<JsonObject | null>;
  };

/** What answers people in Slack is handed this. */
export interface SlackCtx {
  /** At least one. The first is the default. */
  readonly environments: readonly Environment[];
  readonly db: Db;
  readonly serviceOf: (
    environment: string,
  ) => ServiceReader & ReturnType<TriggerCtx['serviceOf']> & ReturnType<CredentialsCtx['serviceOf']>;
  readonly client: WebClient;
  readonly channels: Channels;
  readonly workspace: Workspace;
  readonly accessControl: AccessControl;
  readonly operators: Operators;
  readonly seal: Seal;
  readonly postNotice: PostNotice;
  readonly reporter: TriggerCtx['reporter'];
  readonly explainCause: ExplainCause;
  readonly checkNow: CheckNow;
  readonly wakeDelivery: () => Promise<void>;
  readonly wakeAnnouncing: () => Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
  /** Five characters, new at each call. */
  readonly newReference: () => string;
  readonly newId: () => string;
  readonly retentionDays: number;
  /** How far back people can ask for failures. */
  readonly horizonMs: number;
}
