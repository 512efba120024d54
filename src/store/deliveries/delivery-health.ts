import { z } from 'zod';
import { CLOCK_TOLERANCE_MS } from '../../domain/polling/clock.ts';
import type { Database } from '../database/database.ts';
import { getValue, putValue } from '../kv.ts';

const LAST_DELIVERY = 'last-delivery';

export function deliveryHealth(database: Database) {
  /** Returns when any replica's delivery run last ended without an unexpected error, to within `everyMs` / 2; null if none has. */
  const lastDeliveryAt = () => getValue(database, LAST_DELIVERY, z.coerce.date());
  return {
    lastDeliveryAt,
    /** Notes that a delivery run ended without an unexpected error. Writes at most twice per `everyMs`, so that idling writes nothing. */
    noteDelivered: async (now: Date, everyMs: number): Promise<void> => {
      const last = await lastDeliveryAt();
      const sinceMs = last === null ? everyMs : now.getTime() - last.getTime();
      // A time that is too far ahead is from before a clock was set back.
      if (sinceMs >= everyMs / 2 || sinceMs < -CLOCK_TOLERANCE_MS) await putValue(database, LAST_DELIVERY, now);
    },
  };
}
