import { InputError } from './errors.ts';
import { nearest } from './nearest.ts';

/** The contract's channels ("Message"). The service may know others. */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

/** Normalizes a typed channel: people write in-app, the service in_app. */
export function channelAsMeant(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
}

/** Returns one of the contract's channels, for an operation that accepts no other. Throws `InputError`. */
export function knownChannel(typed: string): (typeof CHANNELS)[number] {
  const meant = channelAsMeant(typed);
  const found = CHANNELS.find((channel) => channel === meant);
  if (found !== undefined) return found;
  const near = nearest(meant, CHANNELS);
  const help = near === null ? `There are ${CHANNELS.join(', ')}.` : `Did you mean ${near}?`;
  throw new InputError('channel', `No message goes by ${typed}. ${help}`, `channel:${near ?? 'email'}`);
}
