import { oneOf } from '../lib/closed-list.ts';
import { maskedId } from '../lib/text/shown-id.ts';

/** `message` names one message in words, `address` the subscriber's field that it is sent to. */
const KNOWN = new Map<string, { message: string; address?: 'maskedEmail' | 'phone' }>([
  ['in_app', { message: 'in-app message' }],
  ['email', { message: 'email', address: 'maskedEmail' }],
  ['sms', { message: 'SMS', address: 'phone' }],
  ['chat', { message: 'chat message' }],
  ['push', { message: 'push message' }],
]);
export const CHANNELS = [...KNOWN.keys()];

export const channelKey = (typed: string): string => typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
export const parseChannel = (typed: string): string => oneOf('channel', typed, CHANNELS);

const ABBREVIATIONS = ['sms', 'http', 'api', 'url'];

/** 'in-app', 'SMS', or 'HTTP request' for a custom step. */
export function channelName(channel: string): string {
  if (channel === 'in_app') return 'in-app';
  const words = maskedId(channel).split(/_+/);
  return words.map((word) => (ABBREVIATIONS.includes(word) ? word.toUpperCase() : word)).join(' ');
}

export const messageNoun = (channel: string): string => KNOWN.get(channel)?.message ?? channelName(channel);
export const addressField = (channel: string): 'maskedEmail' | 'phone' | null => KNOWN.get(channel)?.address ?? null;
