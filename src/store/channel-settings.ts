import { z } from 'zod';
import type { Database } from './database.ts';

export interface ChannelSettings {
  /** The time zone that was named last in a channel; null where none ever was. */
  timeZoneOf(channel: string): Promise<string | null>;
  setTimeZone(channel: string, timeZone: string): Promise<void>;
}

const TimeZoneRow = z.object({ time_zone: z.string().nullable() });

/** What people said of a channel. */
export function channelSettings(database: Database): ChannelSettings {
  return {
    timeZoneOf: async (channel) => {
      const zone = 'SELECT time_zone FROM channel_settings WHERE channel = $1';
      return (await database.rows(TimeZoneRow, zone, [channel]))[0]?.time_zone ?? null;
    },
    setTimeZone: async (channel, timeZone) => {
      await database.write(
        `INSERT INTO channel_settings (channel, time_zone) VALUES ($1, $2)
         ON CONFLICT (channel) DO UPDATE SET time_zone = EXCLUDED.time_zone`,
        [channel, timeZone],
      );
    },
  };
}
