import { z } from 'zod';
import { ROW_REASONS } from '../../domain/alerting/delivery.ts';

export const StoredReason = z.enum(ROW_REASONS);

export const StoredHold = z
  .object({ why: z.enum(['quiet', 'mute']), from: z.coerce.date(), to: z.coerce.date() })
  .nullable();
