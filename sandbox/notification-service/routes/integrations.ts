import { z } from 'zod';
import type { OperationInput } from '../operations.ts';
import { parse } from '../validation.ts';
import type { World } from '../world.ts';

/** `GET /v1/integrations`: those of every environment of the organization, with credentials, as in the real service. */
export function listIntegrations(world: World, { query }: OperationInput): unknown {
  parse(z.strictObject({}), query);
  return world.integrations;
}
