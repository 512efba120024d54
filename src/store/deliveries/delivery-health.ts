import { z } from 'zod';
import { CLOCK_TOLERANCE_MS } from '../../domain/polling/clock.ts';
import type { Database } from '../database/database.ts';

const HealthRow = z.object({ succeeded_at: z.date().nullable() });

export function deliveryHealth(database: Database) {
  return {
    /** Returns when any replica's delivery run last ended without an unexpected error, to within `everyMs` / 2; null if none has. */
    lastDeliveryAt: async (): Promise<Date | null> =>
      (await database.rows(HealthRow, 'SELECT succeeded_at FROM delivery_health'))[0]?.succeeded_at ?? null,
    /** Notes that a delivery run ended without an unexpected error. Writes at most twice per `everyMs`, so that idling writes nothing. */
    noteDelivered: async (now: Date, everyMs: number): Promise<void> => {
      const [old, ahead] = [now.getTime() - everyMs / 2, now.getTime() + CLOCK_TOLERANCE_MS];
      await database.write(DELIVERED, [now, new Date(old), new Date(ahead)]);
    },
  };
}

/** A time that is too far ahead is from before a clock was set back. */
const DELIVERED = `
  UPDATE delivery_health SET succeeded_at = $1 WHERE succeeded_at IS NULL OR succeeded_at <= $2 OR succeeded_at > $3`;
