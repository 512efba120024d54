import { z } from 'zod';
import { FreeText } from '../../lib/text/free-text.ts';
import type { Integration } from '../integration.ts';
import { all, dateOf, flag, text } from './fields.ts';
import { reader } from './reader.ts';

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
