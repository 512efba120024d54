import type { FreeText } from '../lib/text/free-text.ts';

/** A provider's connection for a channel (contract, "Integration"), without its credentials, which Notif never reads. */
export interface Integration {
  readonly id: string | null;
  readonly name: string;
  readonly identifier: string;
  readonly provider: string;
  readonly channel: string;
  readonly active: boolean;
  readonly primary: boolean;
  readonly deleted: boolean;
  /** When it was deleted, and the ID of the service's user who did it. */
  readonly deletedAt: Date | null;
  readonly deletedBy: string | null;
  readonly hasConditions: boolean;
  /** The fields that its conditions check, without duplicates: 'subscriber.locale'. */
  readonly conditionFields: readonly FreeText[];
  /** Whether its provider reports back, such as bounces; null if the service doesn't say. */
  readonly inboundWebhook: boolean | null;
  /** The service's own ID of its environment, since the list has the integrations of the whole organization. */
  readonly serviceEnvironmentId: string;
}

/** `named`: what an event of the environment names, null if none does; a list of a single environment is then its own (contract, operation 3). */
export function ownEnvironmentId(
  listed: readonly Pick<Integration, 'serviceEnvironmentId'>[],
  named: string | null,
): string | null {
  const [only = null, ...others] = new Set(listed.map(({ serviceEnvironmentId }) => serviceEnvironmentId));
  return named ?? (others.length === 0 ? only : null);
}
