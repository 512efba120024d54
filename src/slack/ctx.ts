import type { WebClient } from '@slack/web-api';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Environment } from '../lib/environment.ts';
import type { Seal } from '../lib/seal.ts';
import type { Sleep } from '../lib/time/waiting.ts';
import type { Channels, Operators, Workspace } from '../lib/workspace.ts';
import type { CheckNow } from '../polling/check-now.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Ctx } from '../store/db.ts';
import type { RefusedKinds } from './kit/text-blocks.ts';
import type { AccessControl } from './router/authorization.ts';

export interface SlackCtx extends Ctx {
  /** The first is the default. */
  environments: readonly Environment[];
  serviceOf: (environment: string) => NotificationService;
  /** It repeats calls whose answer was lost, so `chat`, which would post twice, is left to `postingClient`. */
  client: Omit<WebClient, 'chat'>;
  postingClient: WebClient;
  /** Kinds of blocks that the workspace doesn't accept, as found out so far. */
  newerKinds: { refused: RefusedKinds };
  /** Random, and the same for all replicas of the store. */
  storeCode: string;
  /** Other processes that use the same Slack app. */
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
  /** What an error card and the log name an error by. */
  newReference: () => string;
  newId: () => string;
  retentionDays: number;
}
