import { oneOf } from '../lib/closed-list.ts';
import { maskedId } from '../lib/text/shown-id.ts';

export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

export function typedChannel(typed: string): string {
  const channel = typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return channel === 'mail' || channel === 'e_mail' ? 'email' : channel;
}

export function knownChannel(typed: string): (typeof CHANNELS)[number] {
  const channel = typedChannel(typed);
  return oneOf('channel', channel === 'email' ? channel : typed, CHANNELS);
}

const ABBREVIATIONS = ['sms', 'http', 'api', 'url'];

/** Also for custom step types: 'in-app', 'SMS', 'HTTP request'. */
export function channelName(channel: string): string {
  if (channel === 'in_app') return 'in-app';
  const words = maskedId(channel).split(/_+/);
  return words.map((word) => (ABBREVIATIONS.includes(word) ? word.toUpperCase() : word)).join(' ');
}
