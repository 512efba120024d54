import type { FreeText } from '../text/free-text.ts';

/** A provider's connection for a channel (contract, "Integration"), without its credentials, which are never read. */
export interface Integration {
  readonly id: string | null;
  readonly name: string;
  readonly identifier: string;
  readonly provider: string;
  readonly channel: string;
  readonly active: boolean;
  readonly primary: boolean;
  readonly deleted: boolean;
  /** When it was deleted, and the id of the service's user who did it. */
  readonly deletedAt: Date | null;
  readonly deletedBy: string | null;
  readonly hasConditions: boolean;
  /** What its conditions look at: 'subscriber.locale', each once. */
  readonly conditionFields: readonly FreeText[];
  /** Whether its provider reports back, as of bounces; null where the service does not say. */
  readonly inboundWebhook: boolean | null;
  /** The service's own id of its environment: the list holds those of the whole organization. */
  readonly serviceEnvironmentId: string;
}
