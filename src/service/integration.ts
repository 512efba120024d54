import { z } from 'zod';
import { FreeText } from '../lib/text/scrub.ts';
import { all, type Fixed, flag, items, list, optional, readable, text, time } from './schema.ts';

const ConditionBody = z.object({ children: items(z.object(all(z.string(), 'on', 'field'))) });

/** Contract, "Integration". Its credentials come decrypted: Notif doesn't read them. */
export const IntegrationBody = z
  .object({
    ...all(z.string(), 'identifier', 'providerId', 'channel', '_environmentId'),
    ...all(text, '_id', 'name', 'deletedBy'),
    deletedAt: time,
    active: z.boolean(),
    ...all(flag, 'primary', 'deleted'),
    conditions: list(ConditionBody),
    configurations: optional(z.object({ inboundWebhookEnabled: optional(z.boolean()) })),
  })
  .transform(({ _id: id, _environmentId, providerId, conditions, configurations, ...wire }) => {
    const fields = readable(conditions).flatMap(({ children }) => children.map(({ on, field }) => `${on}.${field}`));
    return {
      ...wire,
      id,
      name: wire.name ?? wire.identifier,
      provider: providerId,
      hasConditions: (conditions ?? []).length > 0,
      conditionFields: [...new Set(fields)].map((field) => new FreeText(field)),
      inboundWebhook: configurations?.inboundWebhookEnabled ?? null,
      serviceEnvironmentId: _environmentId,
    };
  });

export type Integration = Fixed<z.output<typeof IntegrationBody>>;

/** `named`: by an event of the environment. */
export function ownEnvironmentId(listed: readonly Integration[], named: string | null): string | null {
  const [only = null, ...others] = new Set(listed.map(({ serviceEnvironmentId }) => serviceEnvironmentId));
  return named ?? (others.length === 0 ? only : null);
}
