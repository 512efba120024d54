import { oneOf } from '../lib/closed-list.ts';
import { maskedId } from '../lib/text/shown-id.ts';

export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

export const typedChannel = (typed: string) => typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
export const knownChannel = (typed: string) => oneOf('channel', typed, CHANNELS);

const ABBREVIATIONS = ['sms', 'http', 'api', 'url'];

/** Also for custom step types: 'in-app', 'SMS', 'HTTP request'. */
export function channelName(channel: string) {
  if (channel === 'in_app') return 'in-app';
  const words = maskedId(channel).split(/_+/);
  return words.map((word) => (ABBREVIATIONS.includes(word) ? word.toUpperCase() : word)).join(' ');
}
