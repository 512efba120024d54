import { z } from 'zod';
import type { Database } from '../database/database.ts';

export interface DeliveryHealth {
  /** When a delivery run of any replica last ended without an unexpected error, to half of `everyMs`; null: none has yet. */
  lastDeliveryAt(): Promise<Date | null>;
  /** A delivery run ended without an unexpected error. Written at most twice in `everyMs`, so that idling writes nothing. */
  noteDelivered(now: Date, everyMs: number): Promise<void>;
}

const HealthRow = z.object({ succeeded_at: z.date().nullable() });

export function deliveryHealth(database: Database): DeliveryHealth {
  return {
    lastDeliveryAt: async () =>
      (await database.rows(HealthRow, 'SELECT succeeded_at FROM delivery_health'))[0]?.succeeded_at ?? null,
    noteDelivered: async (now, everyMs) => {
      await database.write(DELIVERED, [now, new Date(now.getTime() - everyMs / 2)]);
    },
  };
}

const DELIVERED = `
  UPDATE delivery_health SET succeeded_at = $1 WHERE succeeded_at IS NULL OR succeeded_at <= $2`;
