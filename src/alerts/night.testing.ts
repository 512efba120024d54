import { addMilliseconds } from 'date-fns';
import { beforeEach } from 'vitest';
import { type ActCtx, act, type IncidentVerb } from '../incidents/verbs.ts';
import type { Failure } from '../judging/failure.ts';
import { heard, type LogLine, silent } from '../lib/logger.testing.ts';
import type { Logger } from '../lib/logger.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import type { ChannelNow } from '../lib/workspace.ts';
import { nextDueAt } from '../outbox/backlog.ts';
import { createPosting } from '../outbox/deliver.ts';
import { messageWithId } from '../outbox/messages.ts';
import { createSummaryKind } from '../reports/summary.ts';
import { createWeeklyKind } from '../reports/weekly.ts';
import { at, checkedTo, failure, openedEnvironment, reading, record, trackedEvent } from '../store/examples.testing.ts';
import type { OpenDb } from '../store/open.ts';
import { describeStore } from '../store/store.testing.ts';
import { USUAL_SETTINGS, type Watch, type WatchSettings } from '../watches/settings.ts';
import { madeWatch, muteUntil } from '../watches/watches.testing.ts';
import { changeWatch } from '../watches/watches.ts';
import { type AnnounceCtx, announce } from './announce.ts';
import { changesKind } from './changes.ts';
import type { DigestContent, LineContent } from './content.ts';
import { createDigestKind } from './digest.ts';
import { aChannel } from './fake-channel.testing.ts';
import { lineKind } from './lines.ts';
import { personalKind } from './people.ts';
import { noteUnseenEdit } from './second-edit.ts';
import { watchEndedKind } from './watch-end.ts';

/** Whom most watches mention. */
export const ANN = { kind: 'person', id: 'U0ANN' } as const;

/** The outcome of a post to a Slack that doesn't answer. */
export const AWAY = { is: 'refused', reason: "Slack can't be reached", retryAfterMs: null, fix: null } as const;

const KINDS = {
  line: lineKind,
  personal: personalKind,
  changes: changesKind,
  'watch-ended': watchEndedKind,
};

/** Who is in a user group. */
const MEMBERS = new Map([['S0ONCALL', ['U0ANN', 'U0BEN']]]);

const workspaceAt = (now: () => Date) => ({
  membersOf: async (group: string) => ({ members: MEMBERS.get(group) ?? ['U0OPS', 'U0EVE'], asOf: now() }),
});

const kindsAt = (now: () => Date) => ({
  ...KINDS,
  digest: createDigestKind({ workspace: workspaceAt(now), logger: silent }),
  summary: createSummaryKind(now),
  weekly: createWeeklyKind({ now, retentionDays: 30 }),
});

/** A production environment that is read up to noon, and a channel. */
export class Night {
  channel = aChannel();
  /** The log of the delivery. */
  log: readonly LogLine[] = [];
  /** The present, in minutes from noon. */
  minutes = 0;
  isOurs = true;
  /** Slack's answer about the channel. */
  channelNow: ChannelNow | null = null;
  readonly #store: () => OpenDb;
  #deliver: (signal: AbortSignal) => Promise<void> = async () => {};

  constructor(store: () => OpenDb) {
    this.#store = store;
  }

  async begin(): Promise<void> {
    const { logger, log } = heard();
    Object.assign(this, { channel: aChannel(), log, minutes: 0, isOurs: true, channelNow: null });
    this.restart(logger);
    await openedEnvironment(this.store);
    await checkedTo(this.store, at(0));
  }

  /** Another process goes on. */
  restart(logger: Logger = silent): void {
    this.#deliver = createPosting({
      db: this.store.db,
      publisher: this.channel,
      logger,
      now: this.now,
      kinds: kindsAt(this.now),
      operators: { users: ['U0OPS'], groups: ['S0OPS'] },
      workspace: workspaceAt(this.now),
      channels: { ask: async () => this.channelNow },
      isOurs: () => this.isOurs,
      wakeAnnouncing: async () => {},
    });
  }

  get store(): OpenDb {
    return this.#store();
  }

  /** The context of actions at the present. */
  get ctx(): ActCtx & AnnounceCtx {
    const { now } = this;
    const clock = { isSure: () => true };
    const wakes = { wakeAnnouncing: async () => {}, wakeOutbox: async () => {} };
    return { db: this.store.db, logger: silent, now, clock, ...wakes, horizonMs: 3 * DAY_MS };
  }

  readonly now = (): Date => at(this.minutes);

  /** A failure that the catalog calls ours, of another event for each `place`. */
  refused(place: number, changes: Partial<Failure> = {}): Failure {
    return failure({ eventKey: `event-${place}`, occurredAt: this.now(), eventCreatedAt: this.now(), ...changes });
  }

  /** So many, at places that begin with `from`: the same places are the same events. */
  many(count: number, { from = 0, ...changes }: Partial<Failure> & { from?: number } = {}): Failure[] {
    return Array.from({ length: count }, (_, index) => this.refused(from + index, changes));
  }

  /** A failure that the catalog calls the recipient's. */
  gone(place: number): Failure {
    return this.refused(place, { cause: { text: '550 5.1.1 mailbox does not exist', key: 'mailbox does not exist' } });
  }

  /** Records failures at the present, polls up to it, alerts to them and delivers. */
  async poll(...failures: readonly Failure[]): Promise<void> {
    const trackedEvents = failures.map(({ eventKey, workflow: name }) =>
      trackedEvent({ eventKey, createdAt: this.now(), workflow: name === null ? null : aWorkflowNamed(name) }),
    );
    await record(this.store, 'production', reading({ trackedEvents, failures }), this.now());
    await checkedTo(this.store, this.now());
    await this.announce();
    return this.deliver();
  }

  announce(environment = 'production'): Promise<void> {
    return announce(this.ctx, environment);
  }

  /** Records deliveries at the present. */
  async succeed(
    count: number,
    changes: { workflow?: string; channel?: string; provider?: string } = {},
  ): Promise<void> {
    const { workflow = 'order-shipped', channel = 'email', provider = 'sendgrid' } = changes;
    const trackedEvents = Array.from({ length: count }, (_, index) =>
      trackedEvent({
        eventKey: `fine-${this.minutes}-${index}`,
        createdAt: this.now(),
        workflow: aWorkflowNamed(workflow),
        delivered: [{ channel, provider, domain: null, at: this.now() }],
      }),
    );
    await record(this.store, 'production', reading({ trackedEvents }), this.now());
  }

  deliver(signal = new AbortController().signal): Promise<void> {
    return this.#deliver(signal);
  }

  async wait(minutes: number): Promise<void> {
    this.minutes += minutes;
    await this.poll();
  }

  /** Has enough delivered, for a quarter of an hour, that what failed counts as recovered. */
  async recover(): Promise<void> {
    this.minutes += 2;
    await this.succeed(400);
    for (const minutes of [0, 11, 1]) await this.wait(minutes);
  }

  async does(incidentId: number, verb: IncidentVerb, actor = 'U0ANN'): Promise<void> {
    await act(this.ctx, { incidentId }, verb, actor);
    await this.announce();
  }

  watch(settings: Partial<WatchSettings> = {}, channel = 'C0ALERTS'): Promise<Watch> {
    const watch = {
      channel,
      createdBy: 'U0ANN',
      settings: { ...USUAL_SETTINGS, summaryAt: null, ...settings },
    };
    return madeWatch(this.store.db, watch, addMilliseconds(this.now(), -1));
  }

  /** Ann edits a watch. */
  async edits({ id, settings }: Watch, changes: Partial<WatchSettings>): Promise<void> {
    const ctx = { ...this.ctx, noteUnseenEdit };
    await changeWatch(ctx, id, { settings: { ...settings, ...changes }, actor: 'U0ANN' });
  }

  /** Ann mutes a watch, or an incident in it, until a minute; null: she unmutes it. */
  async mutes({ id }: Watch, until: number | null, incidentId: number | null = null): Promise<void> {
    await muteUntil(this.ctx, id, incidentId, { actor: 'U0ANN', until: until === null ? null : at(until) });
  }

  async endLeases(): Promise<void> {
    await this.store.db.write(`UPDATE slack_messages SET leased_until = now() - interval '1 second'`);
  }

  /** Returns in how many seconds the next message is to be posted or edited, rounded up. */
  async dueIn(): Promise<number | null> {
    const due = await nextDueAt(this.store.db, this.now());
    return due && Math.ceil((due.getTime() - this.now().getTime() - 1) / 1_000);
  }

  digests(): DigestContent[] {
    return this.channel.posted.filter((content) => content.kind === 'digest');
  }

  /** What the lines in threads say, as 'failing-again', 'resolved', 'escalated'. */
  lines(): string[] {
    return this.channel.posted.flatMap((content) => (content.kind === 'line' ? [lineOf(content)] : []));
  }

  /** What people were told in direct messages, as 'assigned', 'escalated', 'every' (it fails for everyone now). */
  news(): string[] {
    return this.channel.posted.flatMap((content) => (content.kind === 'personal' ? [content.news.what] : []));
  }

  alerts(): string[][] {
    return this.digests().map(alertsIn);
  }
}

export async function aNight(store: OpenDb): Promise<Night> {
  const night = new Night(() => store);
  await night.begin();
  return night;
}

/** Declares tests that share a night, which is reset before each. */
export function describeNight(title: string, tests: (night: Night, store: () => OpenDb) => void): void {
  describeStore(title, (store) => {
    const night = new Night(store);
    beforeEach(() => night.begin());
    tests(night, store);
  });
}

function aWorkflowNamed(identifier: string) {
  return { id: `id-${identifier}`, identifier, name: identifier, variables: [] };
}

/** 'ended', 'grown' */
export function lineOf({ turns: [turn] }: LineContent): string {
  if (turn === undefined) return 'unknown';
  return turn.event.is === 'entry' ? (turn.event.entry.change?.action ?? 'unknown') : turn.event.is;
}

/** Returns a digest's alerts as reason, incident and failures: 'new #1 14'. */
export function alertsIn({ rows, singles }: DigestContent): string[] {
  return [
    ...rows.map(({ reason, incident }) => `${reason} #${incident.id} ${incident.failures}`),
    ...singles.map(({ id }) => `single #${id}`),
  ];
}

/** Returns the digest that was posted in this place, as it would be drawn now. */
export async function drawn(night: Night, place: number): Promise<DigestContent> {
  const posted = night.digests()[place];
  const message = posted === undefined ? null : await messageWithId(night.store.db, posted.id);
  if (message === null) throw new Error('there is no such digest');
  const draft = await kindsAt(night.now).digest.draw(night.store.db, message, night.now());
  if (draft.is !== 'drawn') throw new Error(`the digest isn't drawn: ${draft.is}`);
  return draft.content;
}
