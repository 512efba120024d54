import { z } from 'zod';
import { FreeText } from '../lib/text/scrub.ts';
import { all, dateOf, type Fixed, flag, reader, text } from './reader.ts';

/** Contract, "StepFilter and FieldFilterPart". The values to compare with are left out. */
const WireCondition = z.object({ children: z.array(z.object({ on: z.string(), field: z.string() })).nullish() });

/** Contract, "Integration". The service sends its credentials decrypted: Notif doesn't read them. */
const WireIntegration = z.object({
  ...all(z.string(), 'identifier', 'providerId', 'channel', '_environmentId'),
  ...all(text, '_id', 'name', 'deletedAt', 'deletedBy'),
  active: z.boolean(),
  ...all(flag, 'primary', 'deleted'),
  conditions: z.array(WireCondition).nullish(),
  configurations: z.object({ inboundWebhookEnabled: flag }).nullish(),
});

export type Integration = Fixed<ReturnType<typeof integrationOf>>;

function integrationOf(wire: z.infer<typeof WireIntegration>, lost: readonly string[]) {
  const conditions = wire.conditions ?? [];
  const fields = conditions.flatMap(({ children }) => (children ?? []).map(({ on, field }) => `${on}.${field}`));
  return {
    id: wire._id || null,
    name: wire.name || wire.identifier,
    identifier: wire.identifier,
    provider: wire.providerId,
    channel: wire.channel,
    active: wire.active,
    primary: wire.primary ?? false,
    deleted: wire.deleted ?? false,
    deletedAt: dateOf(wire.deletedAt),
    /** The ID of the service's user who did it. */
    deletedBy: wire.deletedBy || null,
    /** A condition that can't be read is still a condition. */
    hasConditions: conditions.length > 0 || lost.includes('conditions'),
    /** Without duplicates: 'subscriber.locale'. */
    conditionFields: [...new Set(fields)].map((field) => new FreeText(field)),
    /** Whether its provider reports back, such as bounces; null if the service doesn't say. */
    inboundWebhook: wire.configurations?.inboundWebhookEnabled ?? null,
    /** The service's own ID of its environment, since the list has the integrations of the whole organization. */
    serviceEnvironmentId: wire._environmentId,
  };
}

export const readIntegration = reader(WireIntegration, (wire, lost): Integration => integrationOf(wire, lost));

/** `named`: what an event of the environment names, null if none does; a list of a single environment is then its own (contract, operation 3). */
export function ownEnvironmentId(
  listed: readonly Pick<Integration, 'serviceEnvironmentId'>[],
  named: string | null,
): string | null {
  const [only = null, ...others] = new Set(listed.map(({ serviceEnvironmentId }) => serviceEnvironmentId));
  return named ?? (others.length === 0 ? only : null);
}
