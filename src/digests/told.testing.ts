import { addMilliseconds } from 'date-fns';
import type { Failure } from '../failures/failure.ts';
import { createTraffic } from '../failures/labels.ts';
import { heard, type LogLine, silent } from '../lib/logger.testing.ts';
import { at, checkedTo, openedEnvironment, reading, record, trackedEvent } from '../store/examples.testing.ts';
import type { OpenDb } from '../store/open.ts';
import { UNFILTERED, type Watch, type WatchSettings } from '../watches/settings.ts';
import { madeWatch } from '../watches/watches.testing.ts';
import { announce } from './announce.ts';
import { type Content, type ContentOf, contentOf } from './content.ts';
import { createDelivery, type EditOutcome, type PostOutcome, type Publisher, type Search } from './deliver.ts';

/** Slack's answer to a post, if there is none. */
export const AWAY = { outcome: 'refused', reason: "Slack can't be reached", retryAfterMs: null, fix: null } as const;

/** A channel that takes everything, unless it is told not to. */
export interface FakeChannel extends Publisher {
  posted: Content[];
  /** Of each that was posted. */
  threads: (string | null)[];
  repeats: boolean[];
  edited: { content: Content; ts: string }[];
  answerPosts: (content: Content) => PostOutcome | null;
  answerEdits: (posted: Parameters<Publisher['edit']>[1]) => EditOutcome | null;
  search: Search;
}

export function aChannel(): FakeChannel {
  const channel: FakeChannel = {
    posted: [],
    threads: [],
    repeats: [],
    edited: [],
    answerPosts: () => null,
    answerEdits: () => null,
    search: { found: 'no' },
    post: async (content, { threadTs, possibleRepeat }) => {
      const answer = channel.answerPosts(content);
      if (answer !== null && answer.outcome !== 'unknown') return answer;
      channel.posted.push(content);
      channel.threads.push(threadTs);
      channel.repeats.push(possibleRepeat);
      return answer ?? { outcome: 'posted', ts: `${channel.posted.length}.0`, shownHash: hashOf(content) };
    },
    edit: async (content, posted) => {
      const answer = channel.answerEdits(posted);
      if (answer !== null) return answer;
      const shownHash = hashOf(content);
      if (shownHash === posted.shownHash) return { outcome: 'unchanged', shownHash };
      channel.edited.push({ content, ts: posted.ts });
      return { outcome: 'edited', shownHash };
    },
    find: async () => channel.search,
  };
  return channel;
}

/** What people would see of it, apart from when it was drawn. */
function hashOf(content: Content): string {
  return JSON.stringify(content, (key, value: unknown) => (key === 'asOf' ? undefined : value));
}

export interface Night {
  store: OpenDb;
  channel: FakeChannel;
  /** Of its delivery. */
  log: readonly LogLine[];
  counted: readonly string[];
  /** The present, in minutes from noon. */
  minutes: number;
  now(): Date;
  /** Records failures at the present, polls up to it, tells of them and delivers. */
  poll(...failures: readonly Failure[]): Promise<void>;
  /** What was delivered at the present. */
  succeed(count: number, changes?: { workflow?: string; channel?: string; provider?: string }): Promise<void>;
  deliver(signal?: AbortSignal): Promise<void>;
  wait(minutes: number): Promise<void>;
  watch(settings?: Partial<WatchSettings>): Promise<Watch>;
  digests(): ContentOf<'digest'>[];
}

/** A production environment that is read up to noon, and a channel. */
export async function aNight(store: OpenDb): Promise<Night> {
  const channel = aChannel();
  const traffic = createTraffic();
  const { logger, log } = heard();
  const counted: string[] = [];
  const deliver = createDelivery({
    ...{
      db: store.db,
      publisher: channel,
      traffic,
      operators: { who: 'listed', users: ['U0OPS'], groups: [] },
      countDelivery: (act, outcome) => void counted.push(`${act} ${outcome}`),
      logger,
    },
    now: () => night.now(),
  });
  const night: Night = {
    store,
    ...{ channel, log, counted },
    minutes: 0,
    now: () => at(night.minutes),
    poll: async (...failures) => {
      const trackedEvents = failures.map(({ eventKey, workflow }) =>
        trackedEvent({
          eventKey,
          createdAt: night.now(),
          workflow: workflow === null ? null : aWorkflowNamed(workflow),
        }),
      );
      await record(store, 'production', reading({ trackedEvents, failures }), night.now());
      await checkedTo(store, night.now());
      await announce({ db: store.db, logger: silent, now: night.now }, 'production');
      return night.deliver();
    },
    succeed: async (count, { workflow = 'order-shipped', channel = 'email', provider = 'sendgrid' } = {}) => {
      const trackedEvents = Array.from({ length: count }, (_, index) =>
        trackedEvent({
          ...{ eventKey: `fine-${night.minutes}-${index}`, createdAt: night.now(), workflow: aWorkflowNamed(workflow) },
          delivered: [{ channel, provider, at: night.now() }],
        }),
      );
      await record(store, 'production', reading({ trackedEvents }), night.now());
    },
    deliver: (signal = new AbortController().signal) => deliver(signal),
    wait: async (minutes) => {
      night.minutes += minutes;
      await night.poll();
    },
    watch: (settings = {}) =>
      madeWatch(
        store.db,
        { channel: 'C0ALERTS', createdBy: 'U0ANN', settings: { ...UNFILTERED, summaryAt: null, ...settings } },
        addMilliseconds(night.now(), -1),
      ),
    digests: () => channel.posted.filter((content) => content.kind === 'digest'),
  };
  await openedEnvironment(store);
  await checkedTo(store, at(0));
  return night;
}

function aWorkflowNamed(identifier: string) {
  return { id: `id-${identifier}`, identifier, name: identifier, variables: [] };
}

/** What a digest tells, in short: 'new #1 14'. */
export function toldIn({ rows, singles }: ContentOf<'digest'>): string[] {
  return [
    ...rows.map(({ reason, incident }) => `${reason} #${incident.id} ${incident.failures}`),
    ...singles.map(({ id }) => `single #${id}`),
  ];
}

/** The digest that was posted as a ts, drawn now. */
export async function drawn(night: Night, place: number): Promise<ContentOf<'digest'>> {
  const posted = night.digests()[place];
  if (posted === undefined) throw new Error('there is no such digest');
  const content = await contentOf(night.store.db, posted.id, night.now(), createTraffic());
  if (content?.kind !== 'digest') throw new Error('a digest is drawn as a digest');
  return content;
}
