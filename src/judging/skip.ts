import { z } from 'zod';
import { jsonIn } from '../lib/text/scrub.ts';
import type { ExecutionDetail } from '../service/event.ts';
import { fields, items, text } from '../service/schema.ts';
import { says } from './attempts.ts';

export type SkippedBy = 'subscriber' | 'workflow' | 'schedule' | 'throttle' | 'condition';

const Preferences = z.object({ overrides: items(z.object(fields(text, 'channel', 'source'))) });

/** Returns null for a detail that doesn't say why its step was skipped. */
export function skippedBy(detail: ExecutionDetail, channel: string): SkippedBy | null {
  if (!says('skip', detail)) return null;
  if (says('preferences', detail)) return whosePreferences(detail, channel);
  return says('schedule', detail) ? 'schedule' : says('throttle', detail) ? 'throttle' : 'condition';
}

/** The sentence names the subscriber's preferences also where these only repeat the workflow's. */
function whosePreferences({ detail, raw }: ExecutionDetail, channel: string): SkippedBy {
  const { overrides = [] } = Preferences.safeParse(jsonIn(String(raw ?? ''))).data ?? {};
  const source = overrides.find((override) => override.channel === channel)?.source ?? null;
  const isSubscribers = source === null ? /\b(?:subscriber|user)\b/i.test(String(detail)) : source === 'subscriber';
  return isSubscribers ? 'subscriber' : 'workflow';
}
