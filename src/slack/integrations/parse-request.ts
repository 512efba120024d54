import { channelAsMeant } from '../../domain/delivery-channels.ts';
import type { FilterKey } from '../../domain/input/filters.ts';
import { refuseTooLong } from '../blocks/buttons/refuse-too-long.ts';
import type { Asked } from '../interactions/command.ts';
import { type IntegrationsRequest, writeRequest } from './buttons-message.ts';

const COMMAND = '/notif integrations';
export const INTEGRATION_FILTERS: readonly FilterKey[] = ['channel', 'provider', 'env'];

/**
 * Everything in the environment by default. Throws `InputError` for a filter that can't be applied, and for more values
 * than a button can hold.
 */
export function parseIntegrationsRequest({ filters, environment }: Asked): IntegrationsRequest {
  const filter = { channels: (filters.channel ?? []).map(channelAsMeant), providers: filters.provider ?? [] };
  const request: IntegrationsRequest = { environment: environment.name, filter, scope: 'own' };
  refuseTooLong(writeRequest(request), `${COMMAND} channel:email`);
  return request;
}
