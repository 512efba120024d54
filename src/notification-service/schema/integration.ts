import { z } from 'zod';
import type { Integration } from '../../domain/integration.ts';
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
  conditions: z.array(z.unknown()).nullish(),
  _environmentId: z.string(),
});

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
    hasConditions: (wire.conditions ?? []).length > 0,
    serviceEnvironmentId: wire._environmentId,
  }),
);
