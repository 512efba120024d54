import { z } from 'zod';
import { FreeText } from '../lib/text/scrub.ts';
import { all, dateOf, flag, reader, text } from './reader.ts';

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

/** Contract, "StepFilter and FieldFilterPart". The values to compare with are left out. */
const WireCondition = z.object({ children: z.array(z.object({ on: z.string(), field: z.string() })).nullish() });

const WireIntegration = z.object({
  ...all(z.string(), 'identifier', 'providerId', 'channel', '_environmentId'),
  ...all(text, '_id', 'name', 'deletedAt', 'deletedBy'),
  active: z.boolean(),
  ...all(flag, 'primary', 'deleted'),
  conditions: z.array(WireCondition).nullish(),
  configurations: z.object({ inboundWebhookEnabled: flag }).nullish(),
});

/** Contract, "Integration". The service sends its credentials decrypted: Notif doesn't read them. */
export const readIntegration = reader(
  WireIntegration,
  (wire, lost): Integration => ({
    id: wire._id || null,
    name: wire.name || wire.identifier,
    identifier: wire.identifier,
    provider: wire.providerId,
    channel: wire.channel,
    active: wire.active,
    primary: wire.primary ?? false,
    deleted: wire.deleted ?? false,
    deletedAt: dateOf(wire.deletedAt),
    deletedBy: wire.deletedBy || null,
    // A condition that can't be read is still a condition.
    hasConditions: (wire.conditions ?? []).length > 0 || lost.includes('conditions'),
    conditionFields: [...new Set((wire.conditions ?? []).flatMap(fieldsOf))].map((field) => new FreeText(field)),
    inboundWebhook: wire.configurations?.inboundWebhookEnabled ?? null,
    serviceEnvironmentId: wire._environmentId,
  }),
);

function fieldsOf({ children }: z.infer<typeof WireCondition>): string[] {
  return (children ?? []).map(({ on, field }) => `${on}.${field}`);
}
