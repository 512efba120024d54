import { ServiceError } from '../../../src/domain/errors.ts';
import { UNFILTERED, type Watch } from '../../../src/domain/watches/watch.ts';
import { channelVia } from '../../../src/slack/blocks/incident/channel-name.ts';
import type { Store } from '../../../src/store/store.ts';
import { announceFailures } from '../../../src/use-cases/alerting/announce-failures.ts';
import { deliverMessages } from '../../../src/use-cases/alerting/deliver-messages.ts';
import { poll } from '../../../src/use-cases/polling/poll.ts';
import { recheckEvents } from '../../../src/use-cases/polling/recheck.ts';
import { type ChannelCheck, createChannelCheck } from '../channel/check-channel.ts';
import { createPlantedIncidents } from '../channel/planted-incidents.ts';
import { createPlantedMutes } from '../channel/planted-mutes.ts';
import { headlineOf, pendingIn } from '../channel/status.ts';
import { accountOfFates, accountOfGroups, type FateAccount, type GroupAccount } from './account.ts';
import { type Clock, createModelService } from './model-service.ts';
import { createModelSlack } from './model-slack.ts';
import { DAY, drawWeek, HOUR, MINUTE, type Week } from './week.ts';

export interface SimulationOptions {
  readonly store: Store;
  readonly seed: number;
  readonly events: number;
  readonly days: number;
  /** The poll interval; a minute by default. */
  readonly pollMs?: number;
  /** Called after each simulated day with the number of days played and what was untrue so far. */
  readonly onDay?: (day: number, untruths: ChannelCheck['untruths']) => void;
}

/** The results of a simulated week. */
export interface SimulationReport {
  readonly fates: readonly FateAccount[];
  readonly groups: readonly GroupAccount[];
  /** Messages that are in their channel more than once. */
  readonly repeated: number;
  /** Untrue statements in channels and headlines, and how often they were checked. */
  readonly channel: Pick<ChannelCheck, 'untruths' | 'checked'>;
  readonly costs: readonly Cost[];
}

/** What something cost, and the least that would have been enough. */
export interface Cost {
  readonly what: string;
  readonly taken: number;
  readonly least: number | null;
}

const START = Date.parse('2026-03-23T00:00:00.000Z');
const HORIZON_MS = 3 * DAY;
/** After the last event polls are rarer by this factor: only late failures are left. */
const TAIL_POLLS = 10;
const REQUEST_MS = 40;
const REQUESTS_IN_FIVE_SECONDS = 150;
const CALL_MS = 150;
const PRUNE_EVERY_MS = HOUR;

/** A bad week: the service away for half an hour, Notif not running for an hour and a half, Slack away for an hour. */
const SERVICE_AWAY = { from: 2 * DAY + 9 * HOUR, to: 2 * DAY + 9.5 * HOUR };
const NOT_RUNNING = { from: 4 * DAY + 11 * HOUR, to: 4 * DAY + 12.5 * HOUR };
const SLACK_AWAY = { from: 10.5 * HOUR, to: 11.5 * HOUR };

/** Leases end by the database's clock, which is the real one; between two polls more time passes than any of them lasts. */
const LEASES_END = `
  UPDATE messages SET leased_until = LEAST(leased_until, clock_timestamp()), edit_leased_until = LEAST(edit_leased_until, clock_timestamp())
  WHERE leased_until IS NOT NULL OR edit_leased_until IS NOT NULL`;

/** Plays days of a service against the bot's polling, announcing and delivery, with `now` passed in, and takes the account. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const { store, seed, events, days, pollMs = MINUTE } = options;
  const week = drawWeek(seed, events, START, days, HORIZON_MS);
  const clock = createClock(START + HOUR);
  const watches = await makeWatches(store, clock.now());
  const during = ({ from, to }: { from: number; to: number }, at: number) => at >= START + from && at < START + to;
  const mutes = createPlantedMutes();
  const planted = createPlantedIncidents(channelVia, mutes);
  const check = createChannelCheck(planted, mutes, pollMs);
  const service = createModelService(week, {
    clock,
    requestMs: REQUEST_MS,
    requestsAWindow: REQUESTS_IN_FIVE_SECONDS,
    problemAt: (at) => (during(SERVICE_AWAY, at) ? { kind: 'gateway', status: 503 } : null),
    onAnswered: planted.sees,
  });
  const slack = createModelSlack({
    ...{ clock, callMs: CALL_MS, isAway: (at: number) => during(SLACK_AWAY, at), losesOneIn: 25 },
    onShown: check.shown,
  });
  const signal = new AbortController().signal;
  const parts = { logger: silent, now: clock.now, signal };
  const reading = {
    ...parts,
    store: store.polling,
    service: { ...service, clockAheadMs: () => 0 },
    horizonMs: HORIZON_MS,
    pollMs,
  };
  const rounds = { successful: 0, failed: 0 };
  let prunedAt = 0;
  let checkedTo = START;
  let editableSince = START;
  let day = 0;

  const end = week.to + HORIZON_MS + HOUR;
  for (let slot = START + HOUR; slot < end; slot += slot < week.to ? pollMs : TAIL_POLLS * pollMs) {
    clock.reaches(slot);
    await store.executeSql(LEASES_END);
    if (during(NOT_RUNNING, slot) || during(SLACK_AWAY, slot)) editableSince = slot + pollMs;
    if (during(NOT_RUNNING, slot)) continue;
    await poll('production', reading).then(
      () => {
        rounds.successful += 1;
        checkedTo = slot;
      },
      (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        rounds.failed += 1;
      },
    );
    await recheckEvents('production', { ...reading, abortAfter: () => signal });
    planted.settles(checkedTo, clock.now().getTime());
    await announceFailures('production', { ...parts, store: store.alerting });
    await deliverMessages({ ...parts, store: store.deliveries, publisher: slack, operators: [] });
    clock.reaches(slot + pollMs / 2);
    await deliverMessages({ ...parts, store: store.deliveries, publisher: slack, operators: [] });
    if (slot < week.to) {
      const at = clock.now().getTime();
      const isUnchecked = at - checkedTo > 2 * pollMs + MINUTE;
      const pending = await pendingIn(store, slack.accepted);
      const minute = { at, checkedTo, editableSince, isUnchecked, pending };
      check.minute(slack.standing.values(), await headlineOf(store, pollMs, clock.now()), minute);
    }
    if (slot - prunedAt >= PRUNE_EVERY_MS) {
      await store.operation.prune(clock.now(), 30);
      prunedAt = slot;
    }
    if (slot >= START + (day + 1) * DAY) options.onDay?.(++day, check.untruths);
  }
  return {
    fates: await accountOfFates(week, store, end),
    groups: await accountOfGroups(store, watches),
    channel: check,
    repeated: [...slack.posted.values()].filter((times) => times > 1).length,
    costs: await costsOf(week, store, service.requests(), slack.calls),
  };
}

async function makeWatches(store: Store, now: Date) {
  const all = await store.watches.ensureWatch('C0ONCALL', now);
  const made = (channel: string, channels: readonly string[]): Promise<Watch> => {
    const settings = { ...UNFILTERED, filter: { ...UNFILTERED.filter, channels }, summaryAt: null };
    return store.watches.makeWatch({ channel, createdBy: 'U0ANN', settings }, now);
  };
  const texts = await made('C0TEXTS', ['sms', 'push']);
  return [
    { id: all.id, name: 'everything', condition: 'true' },
    { id: texts.id, name: 'sms and push', condition: `g.channel IN ('sms', 'push')` },
  ];
}

/**
 * The least that is enough: one read of each event and, on a channel that bounces, one recheck; one message for each poll and watch in
 * which a group began to fail.
 */
async function costsOf(
  week: Week,
  store: Store,
  requests: { readonly all: number; readonly mostInAMinute: number },
  calls: { readonly posts: number; readonly edits: number; readonly mostEditsInAMinute: number },
): Promise<Cost[]> {
  const bouncing = week.workflow.filter((workflow) => week.workflows[workflow]?.channel !== 'in_app').length;
  const messages = await numberOf(store, 'SELECT count(*) AS number FROM messages');
  const least = await numberOf(store, BEGINNINGS);
  return [
    { what: 'requests', taken: requests.all, least: Math.ceil((week.createdAt.length + bouncing) / 50) },
    { what: 'most requests in a minute', taken: requests.mostInAMinute, least: null },
    { what: 'messages', taken: messages, least },
    { what: 'posts', taken: calls.posts, least: messages },
    { what: 'edits', taken: calls.edits, least: null },
    { what: 'most edits in a minute', taken: calls.mostEditsInAMinute, least: null },
  ];
}

const BEGINNINGS = `
  SELECT count(DISTINCT (d.watch_id, date_trunc('minute', s.first_seen))) AS number
  FROM announcements a JOIN messages d ON d.id = a.message_id JOIN episodes s ON s.id = a.episode_id`;

async function numberOf(store: Store, text: string): Promise<number> {
  const [row] = (await store.executeSql(text)).rows;
  return Number(Object(row).number);
}

function createClock(start: number): Clock & { reaches(at: number): void } {
  let now = start;
  return {
    now: () => new Date(now),
    passes: (ms) => {
      now += ms;
    },
    reaches: (at) => {
      now = Math.max(now, at);
    },
  };
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
