import { oneOf } from '../lib/closed-list.ts';

/** The contract's channels ("Message"). The service may know others. */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

/** Normalizes a typed channel: people write in-app, the service in_app. */
export function channelAsMeant(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
}

/** For an operation that accepts only the contract's. Throws `InputError`. */
export function knownChannel(typed: string): (typeof CHANNELS)[number] {
  return oneOf({ key: 'channel' }, typed, CHANNELS);
}
