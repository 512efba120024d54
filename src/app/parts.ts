import type { Logger } from '../domain/logger.ts';
import type { Loops } from '../jobs/loops.ts';
import type { SlackConnection } from '../slack/connection.ts';
import type { Store } from '../store/store.ts';
import type { ServiceClients } from './service-clients.ts';

/** The parts that the process creates once and shares. */
export interface Parts {
  readonly logger: Logger;
  readonly now: () => Date;
  readonly store: Store;
  /** The store's polling, wrapped: an event that can't be recorded is isolated, and recorded numbers are counted. */
  readonly recording: Store['polling'];
  readonly slack: SlackConnection;
  readonly clientFor: ServiceClients;
  readonly loops: Loops;
}
