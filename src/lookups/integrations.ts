import { namedByEvent } from '../changes/changes.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import { attemptsOf } from '../incidents/counts.ts';
import { type IncidentNow, SHARE_MS } from '../incidents/incident.ts';
import { BY_IMPORTANCE, isOpen } from '../incidents/lists.ts';
import { incidentsNow } from '../incidents/queries.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { isAmong } from '../lib/fold.ts';
import type { Logger } from '../lib/logger.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { type Integration, ownEnvironmentId } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { CHANNELS, PERSON } from '../service/query.ts';
import type { Fixed } from '../service/schema.ts';
import type { Db } from '../store/db.ts';
import { incidents } from '../store/schema.ts';

export interface IntegrationFilter {
  channels: readonly string[];
  providers: readonly string[];
}

export const ALL_INTEGRATIONS: IntegrationFilter = { channels: [], providers: [] };

export type IntegrationsFound = Fixed<Awaited<ReturnType<typeof listIntegrations>>>;

export interface FoundIntegration extends Integration {
  lately: ProviderNow | null;
}

const CHANNEL_ORDER: readonly string[] = CHANNELS;

/** By channel, then what sends first, the primary before. */
export function inOrder(integrations: readonly Integration[]): Integration[] {
  const placeOf = ({ channel, deleted, active, primary, name, identifier }: Integration) => {
    const rank = CHANNEL_ORDER.indexOf(channel);
    const state = [deleted, !active, !primary].map(Number);
    return [rank === -1 ? CHANNEL_ORDER.length : rank, channel, ...state, name, identifier].join('\n');
  };
  return integrations.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
}

export function isSending({ active, deleted }: Integration): boolean {
  return active && !deleted;
}

export interface ProviderNow {
  channel: string;
  provider: string | null;
  window: TimeRange;
  failures: number;
  attempts: number;
  incidents: readonly IncidentNow[];
}

const FAILING_SHARE = 0.1;

export function isFailing({ failures, attempts }: ProviderNow): boolean {
  return failures >= attempts * FAILING_SHARE;
}

export interface ListIntegrationsCtx {
  environment: Environment;
  serviceOf: (environment: string) => NotificationService;
  db: Db;
  logger: Logger;
  now: () => Date;
}

export async function listIntegrations(ctx: ListIntegrationsCtx, filter: IntegrationFilter) {
  const { environment, serviceOf, db, logger, now } = ctx;
  const service = serviceOf(environment.name);
  const leaveOut = (what: string, isExpected: (error: unknown) => boolean) => (err: unknown) => {
    if (!isExpected(err)) throw err;
    logger.warn({ environment: environment.name, err }, `integrations are listed without ${what}`);
    return null;
  };
  const [listed, named, failing] = await Promise.all([
    service.listIntegrations(PERSON),
    namedByEvent(service, PERSON).catch(leaveOut('their environment', (error) => error instanceof ServiceError)),
    failingProviders(db, environment.name, now()).catch(
      leaveOut('their failures', (error) => error instanceof StoreTroubleError),
    ),
  ]);
  const ownId = ownEnvironmentId(listed.items, named);
  const items = inOrder(listed.items.filter((item) => ownId === null || item.serviceEnvironmentId === ownId));
  const channels = [...new Set(items.map(({ channel }) => channel))];
  const sending = items.filter(isSending);
  const latelyOf = (item: Integration) =>
    ownId !== null && sending.includes(item)
      ? failing?.find(
          ({ channel, provider }) => isAmong([channel], [item.channel]) && isAmong([provider], [item.provider]),
        )
      : null;
  return {
    environment,
    filter,
    items: items
      .filter(({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers))
      .map((item): FoundIntegration => ({ ...item, lately: latelyOf(item) ?? null })),
    isOwnKnown: ownId !== null,
    inactiveChannels: channels.filter((name) => ownId !== null && !sending.some(({ channel }) => channel === name)),
    channels,
    unreadable: listed.unreadable.length,
  };
}

const MOST_A_PROVIDER = 2;

export async function failingProviders(db: Db, environment: string, now: Date): Promise<ProviderNow[]> {
  const { id, channel, provider } = incidents;
  const rows = await db
    .select({ id, channel, provider })
    .from(incidents)
    .where(isOpen([environment], now))
    .orderBy(...BY_IMPORTANCE);
  const window = { from: new Date(now.getTime() - SHARE_MS), to: now };
  const places = new Map<string, typeof rows>();
  for (const row of rows) {
    const key = JSON.stringify([row.channel, row.provider]);
    places.set(key, [...(places.get(key) ?? []), row]);
  }
  const shown = [...places.values()].map((open) => open.slice(0, MOST_A_PROVIDER));
  const firsts = shown.flatMap(([first]) => (first === undefined ? [] : [{ ...first, environment, ...window }]));
  const tried = await attemptsOf(db, firsts);
  const known = await incidentsNow(
    db,
    shown.flat().map((row) => row.id),
    null,
    now,
  );
  return shown.flatMap((open): ProviderNow[] => {
    const [first] = open;
    const attempts = first === undefined ? undefined : tried.get(first.id);
    if (first === undefined || attempts === undefined || attempts.refused === 0) return [];
    const counts = { failures: attempts.refused, attempts: attempts.total.tried };
    const now = open.flatMap((row) => known.get(row.id) ?? []);
    return [{ channel: first.channel, provider: first.provider, window, ...counts, incidents: now }];
  });
}
