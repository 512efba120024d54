import { z } from 'zod';
import type { ChannelEnvironment, ChannelEnvironmentStore } from '../../use-cases/watches/set-channel-environment.ts';
import { record } from '../changes/audited.ts';
import type { Database, Sql, SqlWrite } from '../database/database.ts';

export interface ChannelSettingsStore extends ChannelEnvironmentStore {
  timeZoneOf(channel: string): Promise<string | null>;
  environmentOf(channel: string): Promise<string | null>;
}

const TimeZoneRow = z.object({ time_zone: z.string().nullable() });

const EnvironmentRow = z.object({ environment: z.string().nullable(), by: z.string(), at: z.coerce.date() });

export function channelSettings(database: Database): ChannelSettingsStore {
  const channelEnvironment = async (channel: string) => {
    const rows = await database.rows(
      EnvironmentRow,
      `SELECT environment, environment_by AS by, environment_at AS at FROM channel_settings
       WHERE channel = $1 AND environment_by IS NOT NULL`,
      [channel],
    );
    return rows[0] ?? null;
  };
  return {
    timeZoneOf: async (channel) => {
      const zone = 'SELECT time_zone FROM channel_settings WHERE channel = $1';
      return (await database.rows(TimeZoneRow, zone, [channel]))[0]?.time_zone ?? null;
    },
    channelEnvironment,
    environmentOf: async (channel) => (await channelEnvironment(channel))?.environment ?? null,
    setChannelEnvironment: (channel, set) => database.withTransaction((sql) => setEnvironment(sql, channel, set)),
  };
}

export async function setTimeZone(sql: SqlWrite, channel: string, timeZone: string): Promise<void> {
  await sql.write(
    `INSERT INTO channel_settings (channel, time_zone) VALUES ($1, $2)
     ON CONFLICT (channel) DO UPDATE SET time_zone = EXCLUDED.time_zone`,
    [channel, timeZone],
  );
}

async function setEnvironment(sql: Sql, channel: string, { environment, by, at }: ChannelEnvironment): Promise<void> {
  await sql.write(
    `INSERT INTO channel_settings (channel, environment, environment_by, environment_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (channel) DO UPDATE SET environment = EXCLUDED.environment,
       environment_by = EXCLUDED.environment_by, environment_at = EXCLUDED.environment_at`,
    [channel, environment, by, at],
  );
  const change = { action: 'channel-environment', to: environment } as const;
  await record(sql, { by, now: at }, { channel, environment: null, change });
}
