import type { WebClient } from '@slack/web-api';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Environment } from '../lib/environment.ts';
import type { Seal } from '../lib/seal.ts';
import type { Sleep } from '../lib/time/waiting.ts';
import type { Channels, Operators, Workspace } from '../lib/workspace.ts';
import type { CheckNow } from '../polling/poll.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Ctx } from '../store/db.ts';
import type { RefusedKinds } from './kit/message.ts';
import type { AccessControl } from './router/authorization.ts';

export interface SlackCtx extends Ctx {
  /** The first is the default. */
  environments: readonly Environment[];
  serviceOf: (environment: string) => NotificationService;
  /** It repeats lost calls, which would post messages twice. */
  client: Omit<WebClient, 'chat'>;
  postingClient: WebClient;
  newerKinds: { refused: RefusedKinds };
  /** Random, and the same for all replicas of the store. */
  storeCode: string;
  strangers: { suspect: () => void };
  channels: Channels;
  noteChannelId: (from: string, to: string) => Promise<void>;
  workspace: Workspace;
  accessControl: AccessControl;
  operators: Operators;
  seal: Seal;
  explainCause: ExplainCause;
  checkNow: CheckNow;
  wakeOutbox: () => Promise<void>;
  wakeAnnouncing: () => Promise<void>;
  sleep: Sleep;
  newReference: () => string;
  newId: () => string;
  retentionDays: number;
}
