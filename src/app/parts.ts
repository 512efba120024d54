import type { Logger } from '../domain/logger.ts';
import type { Loops } from '../jobs/loops.ts';
import type { PollingCtx } from '../lib/ctx.ts';
import type { Polls } from '../polling/check-now.ts';
import type { SlackConnection } from '../slack/connection.ts';
import type { Store } from '../store/store.ts';
import type { ServiceClients } from './service-clients.ts';

export interface Parts {
  readonly logger: Logger;
  readonly now: () => Date;
  readonly store: Store;
  readonly polling: PollingCtx;
  readonly polls: Polls;
  readonly slack: SlackConnection;
  readonly clientFor: ServiceClients;
  readonly loops: Loops;
}
