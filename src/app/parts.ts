import type { Logger } from '../domain/logger.ts';
import type { Queue } from '../jobs/queue.ts';
import type { SlackConnection } from '../slack/connection.ts';
import type { Store } from '../store/store.ts';
import type { ServiceClients } from './service-clients.ts';

/** What is made once for the whole process, and handed to anyone who works with it. */
export interface Parts {
  readonly logger: Logger;
  readonly now: () => Date;
  readonly store: Store;
  /** The store's polling, in which an event that can't be recorded harms nothing but itself, and all that is recorded is counted. */
  readonly recording: Store['polling'];
  readonly slack: SlackConnection;
  readonly clientFor: ServiceClients;
  readonly queue: Queue;
}
