import { channelAsMeant } from '../../domain/delivery-channels.ts';
import { InputError } from '../../domain/errors.ts';
import { type FilterKey, refuseOthers } from '../../domain/input/filters.ts';
import { refuseWords } from '../../domain/input/stray-words.ts';
import { BUTTON_VALUE } from '../blocks/limits.ts';
import type { Asked } from '../interactions/command.ts';
import { type IntegrationsRequest, writeRequest } from './buttons-message.ts';

const COMMAND = '/notif integrations';
export const INTEGRATION_FILTERS: readonly FilterKey[] = ['channel', 'provider', 'env'];

/**
 * Parses the request of `/notif integrations`: everything in the environment by default. Throws `InputError` for a word that isn't a
 * filter, a filter that can't be applied, and more values than a button can hold.
 */
export function parseIntegrationsRequest({
  words,
  filters,
  environmentNames,
  environment,
}: Asked): IntegrationsRequest {
  refuseWords(words, {
    command: COMMAND,
    allowed: INTEGRATION_FILTERS,
    usual: 'provider',
    environments: environmentNames,
  });
  refuseOthers(filters, INTEGRATION_FILTERS, COMMAND);
  const filter = { channels: (filters.channel ?? []).map(channelAsMeant), providers: filters.provider ?? [] };
  const request: IntegrationsRequest = { environment: environment.name, filter, scope: 'own', offset: 0 };
  if (writeRequest({ ...request, offset: 999_999_999 }).length > BUTTON_VALUE) {
    throw new InputError(
      'filter',
      "Too many filter values for Slack's buttons. Use fewer.",
      `${COMMAND} channel:email`,
    );
  }
  return request;
}
