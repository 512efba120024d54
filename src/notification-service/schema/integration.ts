import { z } from 'zod';
import { FreeText } from '../../domain/free-text.ts';
import type { Integration } from '../../domain/integration.ts';
import { dateOf } from './date.ts';
import { flag, text } from './fields.ts';
import { reader } from './reader.ts';

const WireIntegration = z.object({
  _id: text,
  name: text,
  identifier: z.string(),
  providerId: z.string(),
  channel: z.string(),
  active: z.boolean(),
  primary: flag,
  deleted: flag,
  deletedAt: text,
  deletedBy: text,
  conditions: z.array(z.unknown()).nullish(),
  configurations: z.object({ inboundWebhookEnabled: flag }).nullish().catch(null),
  _environmentId: z.string(),
});

/** Contract, "StepFilter and FieldFilterPart": what it compares with is left behind. */
const Condition = z.object({ children: z.array(z.object({ on: z.string(), field: z.string() })) });

/** Contract, "Integration". The service sends its credentials decrypted: they are not read. */
export const readIntegration = reader(
  WireIntegration,
  (wire): Integration => ({
    id: wire._id ?? null,
    name: wire.name ?? wire.identifier,
    identifier: wire.identifier,
    provider: wire.providerId,
    channel: wire.channel,
    active: wire.active,
    primary: wire.primary ?? false,
    deleted: wire.deleted ?? false,
    deletedAt: dateOf(wire.deletedAt),
    deletedBy: wire.deletedBy ?? null,
    hasConditions: (wire.conditions ?? []).length > 0,
    conditionFields: [...new Set((wire.conditions ?? []).flatMap(fieldsOf))].map((field) => new FreeText(field)),
    inboundWebhook: wire.configurations?.inboundWebhookEnabled ?? null,
    serviceEnvironmentId: wire._environmentId,
  }),
);

/** A condition of another shape says that there is one, and not of what. */
function fieldsOf(condition: unknown): string[] {
  const { children = [] } = Condition.safeParse(condition).data ?? {};
  return children.map(({ on, field }) => `${on}.${field}`);
}
