import { z } from 'zod';
import type { ChannelEnvironment, ChannelEnvironmentStore } from '../../use-cases/watches/set-channel-environment.ts';
import { record } from '../changes/audited.ts';
import type { Database, Sql, SqlWrite } from '../database/database.ts';
import { getValue, putValue } from '../kv.ts';

export interface ChannelSettingsStore extends ChannelEnvironmentStore {
  timeZoneOf(channel: string): Promise<string | null>;
  environmentOf(channel: string): Promise<string | null>;
}

const StoredEnvironment = z.object({ environment: z.string().nullable(), by: z.string(), at: z.coerce.date() });

export function channelSettings(database: Database): ChannelSettingsStore {
  const channelEnvironment = (channel: string) => getValue(database, environmentKey(channel), StoredEnvironment);
  return {
    timeZoneOf: (channel) => getValue(database, timeZoneKey(channel), z.string()),
    channelEnvironment,
    environmentOf: async (channel) => (await channelEnvironment(channel))?.environment ?? null,
    setChannelEnvironment: (channel, set) => database.withTransaction((sql) => setEnvironment(sql, channel, set)),
  };
}

const timeZoneKey = (channel: string) => `channel-time-zone:${channel}`;
const environmentKey = (channel: string) => `channel-environment:${channel}`;

export function setTimeZone(sql: SqlWrite, channel: string, timeZone: string): Promise<void> {
  return putValue(sql, timeZoneKey(channel), timeZone);
}

async function setEnvironment(sql: Sql, channel: string, set: ChannelEnvironment): Promise<void> {
  const { environment, by, at } = set;
  await putValue(sql, environmentKey(channel), { environment, by, at });
  const change = { action: 'channel-environment', to: environment } as const;
  await record(sql, { by, now: at }, { channel, environment: null, change });
}
