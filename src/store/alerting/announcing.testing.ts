import { z } from 'zod';
import { groupOf } from '../../domain/failures/failure.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { Count } from '../database/row.ts';
import { at, failureOf, finishPresent, openedEnvironment, reading, record, trackedEvent } from '../examples.testing.ts';
import { silent } from '../store.testing.ts';
import type { Store } from '../store.ts';

export interface Step {
  readonly minutes: number;
  /** How many failures arrive per channel; each channel is a group here. */
  readonly failures: readonly { readonly channel: string; readonly times: number }[];
  readonly undeliverable: number;
  /** A null channel mutes the whole watch. */
  readonly mute: { readonly channel: string | null; readonly minutes: number } | null;
  readonly deletesMessages: boolean;
  readonly isSlackAway: boolean;
}

const AlertedRow = z.object({
  episode_id: Count,
  channel: z.string(),
  reason: z.string(),
  failures: Count,
  missed: Count,
  written_at: z.coerce.date(),
  posted_at: z.coerce.date(),
  is_gone: z.boolean(),
});
export type LastAlert = z.output<typeof AlertedRow>;

const EpisodeRow = z.object({
  id: Count,
  channel: z.string(),
  began_as: z.string(),
  failures: Count,
  first_seen: z.coerce.date(),
  last_seen: z.coerce.date(),
  goes_on_unseen: z.boolean(),
});
export type KnownEpisode = z.output<typeof EpisodeRow>;

export interface Muted {
  readonly channel: string | null;
  readonly from: Date;
  readonly until: Date;
}

export class Story {
  readonly failures: { readonly channel: string; readonly at: Date }[] = [];
  readonly muted: Muted[] = [];
  undeliverable = 0;
  #minute = 0;

  readonly store: Store;
  readonly environment: string;
  readonly watch: Watch;

  constructor(store: Store, environment: string, watch: Watch) {
    this.store = store;
    this.environment = environment;
    this.watch = watch;
  }

  async go(step: Step): Promise<void> {
    this.#minute += step.minutes;
    const now = at(this.#minute);
    if (step.mute) await this.#mute(step.mute.channel, now, at(this.#minute + step.mute.minutes));
    if (step.deletesMessages) await this.#deleteMessages(now);
    await this.#read(step, now);
    await announceFailures(this.environment, { store: this.store.alerting, logger: silent, now: () => now });
    if (!step.isSlackAway) await this.#post(now);
  }

  async #mute(channel: string | null, from: Date, until: Date): Promise<void> {
    if (channel !== null && !this.failures.some((failure) => failure.channel === channel)) return;
    const key = channel && groupOf(this.environment, failureOf(channel, { channel })).key;
    await this.store.incidents.mute(this.watch.id, key, { by: 'U1', until }, from);
    const running = this.muted.findIndex((known) => known.channel === channel && known.until > from);
    const [known] = running === -1 ? [] : this.muted.splice(running, 1);
    this.muted.push({ channel, from: known?.from ?? from, until });
  }

  async #read(step: Step, now: Date): Promise<void> {
    const failed = step.failures.flatMap(({ channel, times }) =>
      Array.from({ length: times }, () => ({ channel, at: now })),
    );
    const failures = failed.map(({ channel }, index) =>
      failureOf(channel, { channel, eventKey: `${this.failures.length + index}`, occurredAt: now }),
    );
    const counted = Array.from({ length: step.undeliverable }, (_, index) =>
      failureOf('nobody', { verdict: 'undeliverable', eventKey: `undeliverable ${this.undeliverable + index}` }),
    );
    this.failures.push(...failed);
    this.undeliverable += step.undeliverable;
    await this.#record(reading({ failures: [...failures, ...counted] }), now);
  }

  /** Everything is read twice. */
  async #record(page: ReturnType<typeof reading>, now: Date): Promise<void> {
    const cursor = await openedEnvironment(this.store, this.environment, now);
    const trackedEvents = page.failures.map(({ eventKey }) => trackedEvent({ eventKey, createdAt: now }));
    await record(this.store, cursor, { ...page, trackedEvents }, now);
    await record(this.store, cursor, page, now);
    await finishPresent(this.store, cursor, { to: now, setAside: [], clockAheadMs: null, newestEventAt: null }, now);
  }

  async #post(now: Date): Promise<void> {
    for (
      let claimed = await this.store.deliveries.claimMessage(now);
      claimed;
      claimed = await this.store.deliveries.claimMessage(now)
    ) {
      await this.store.deliveries.notePosted(claimed.id, { ts: claimed.id, fingerprint: '', failures: 0 }, now);
    }
  }

  async #deleteMessages(now: Date): Promise<void> {
    await this.store.executeSql(`UPDATE messages SET redraw_at = '${now.toISOString()}' WHERE state = 'posted'`);
    for (
      let claimed = await this.store.deliveries.claimEdit(now);
      claimed;
      claimed = await this.store.deliveries.claimEdit(now)
    ) {
      await this.store.deliveries.noteDeleted(claimed);
    }
  }

  async lastAlert(): Promise<LastAlert[]> {
    return this.#ask(
      AlertedRow,
      `SELECT a.episode_id, g.channel, a.reason, a.announced_failures AS failures, coalesce(a.missed, 0) AS missed,
         a.announced_at AS written_at, d.posted_at, d.state = 'gone' AS is_gone
       FROM announcements a JOIN messages d ON d.id = a.message_id JOIN episodes s ON s.id = a.episode_id JOIN groups g ON g.key = s.group_key
       WHERE d.watch_id = $1 AND d.environment = $2 ORDER BY a.announced_at, a.position`,
    );
  }

  /** Returns the groups' episodes, the oldest first. One continues unseen if its last message is gone and it counted a failure afterwards. */
  async episodes(): Promise<KnownEpisode[]> {
    return this.#ask(
      EpisodeRow,
      `SELECT s.id, g.channel, s.began_as, s.failures, s.first_seen, s.last_seen, coalesce(last.announced_to <= s.last_recorded_at, false) AS goes_on_unseen
       FROM episodes s JOIN groups g ON g.key = s.group_key LEFT JOIN LATERAL (
         SELECT a.announced_to FROM announcements a JOIN messages d ON d.id = a.message_id
         WHERE a.episode_id = s.id AND a.watch_id = $1 ORDER BY a.announced_at DESC LIMIT 1
       ) last ON true WHERE g.environment = $2 ORDER BY s.id`,
    );
  }

  async #ask<Row extends z.ZodType>(Row: Row, text: string): Promise<z.output<Row>[]> {
    const { rows } = await this.store.executeSql(text, [this.watch.id, this.environment]);
    return rows.map((row) => Row.parse(row));
  }
}
