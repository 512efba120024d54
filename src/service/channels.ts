import { oneOf } from '../lib/closed-list.ts';
import { maskedId } from '../lib/text/shown-id.ts';

export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

/** Also a step type of somebody's own. */
export function typedChannel(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
}

export function knownChannel(typed: string): (typeof CHANNELS)[number] {
  return oneOf('channel', typed, CHANNELS);
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['in_app', 'in-app'],
  ['sms', 'SMS'],
]);

export function channelName(channel: string): string {
  return NAMES.get(channel) ?? maskedId(channel);
}
