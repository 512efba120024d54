import { z } from 'zod';
import { ROW_REASONS } from '../../domain/alerting/delivery.ts';
import { Count } from '../database/row.ts';
import { StoredMention } from '../watches/watches.ts';
import { WatchMessageKind } from './deliveries.ts';

export const StoredReason = z.enum(ROW_REASONS);

const StoredHold = z.object({ why: z.enum(['quiet', 'mute']), from: z.coerce.date(), to: z.coerce.date() }).nullable();

export const WatchMessageRecord = z.object({
  id: z.string(),
  kind: WatchMessageKind,
  watch_id: z.string(),
  destination: z.string(),
  environment: z.string(),
  created_at: z.date(),
  is_first: z.boolean(),
  covered_from: z.date(),
  covered_to: z.date(),
  events: Count,
  unreadable: Count,
  gap_id: z.string().nullable(),
  mention: StoredMention.nullable(),
  held_back: StoredHold,
  details: z.unknown(),
  thread_ts: z.string().nullable(),
});
export type WatchMessageRecord = z.output<typeof WatchMessageRecord>;
