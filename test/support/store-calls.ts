import { z } from 'zod';
import { bucketsOf } from '../../src/domain/charts/chart.ts';
import { ALL_FAILURES, FILTER_NAMES } from '../../src/domain/failures/failure-filter.ts';
import type { TimeRange } from '../../src/domain/time/time-range.ts';
import { EVERYTHING, UNFILTERED, type Watch } from '../../src/domain/watches/watch.ts';
import { settingsKey } from '../../src/domain/watches/watch-settings.ts';
import type { Store } from '../../src/store/store.ts';
import type { ClaimedMessage, PostedMessage } from '../../src/use-cases/alerting/deliver-messages.ts';
import { AGED } from './aged-store.ts';

/** The parts of the store whose functions run statements. */
type Noun = Exclude<keyof Store, 'database' | 'traffic' | 'executeSql' | 'isOpen' | 'close' | 'trouble'>;

/** Calls a function of the store with typical arguments of an hour of a busy day. */
type Call = (store: Store, subject: Subject) => Promise<unknown>;

/** A call for each function of the store. A function without one is a compile error. */
export type StoreCalls = { readonly [N in Noun]: { readonly [Name in keyof Store[N]]: Call } };

/** What the calls ask for in a store filled by `fillStore`. */
export interface Subject {
  readonly now: Date;
  /** An open episode, and one of its groups. */
  readonly episodeId: number;
  readonly groupKey: string;
  /** A digest that was posted within the last hour. */
  readonly digestId: string;
  readonly watch: Watch;
}

const Newest = z.object({ id: z.coerce.number(), group_key: z.string(), message_id: z.string() });

export async function subjectIn(store: Store, now: Date): Promise<Subject> {
  const { rows } = await store.executeSql(`
    SELECT s.id, s.group_key, a.message_id FROM episodes s JOIN announcements a ON a.episode_id = s.id
    WHERE a.watch_id = 'watch-1' ORDER BY s.failures DESC, s.id DESC LIMIT 1`);
  const newest = Newest.parse(rows[0]);
  const watch = await store.watches.watch('watch-1');
  if (watch === null) throw new Error('the store was not filled');
  return {
    ...{ now, episodeId: newest.id, groupKey: newest.group_key, digestId: newest.message_id, watch },
  };
}

const before = (now: Date, minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const lastHour = (now: Date): TimeRange => ({ from: before(now, 60), to: now });
const lastDay = (now: Date): TimeRange => ({ from: before(now, 1440), to: now });
const envs = [AGED];
const claimed = ({ digestId, now }: Subject): ClaimedMessage => ({
  ...{ id: digestId, kind: 'digest', channel: 'C1', threadTs: null, attempt: 1, claimedAt: now, unresolvedSince: null },
});
const posted = ({ digestId, now }: Subject): PostedMessage => ({
  ...{ id: digestId, channel: 'C1', ts: '1.1', fingerprint: 'print', attempt: 1, claimedAt: now },
});
const target = ({ digestId, episodeId }: Subject) => ({ messageId: digestId, episodeId });
const entry = (at: Date, intentId: string) => ({
  ...{ at, actor: 'U0ANN', channel: 'C1', environment: AGED, intentId, outcome: { is: 'begun' } as const },
  change: { action: 'trigger', workflow: 'workflow-1', recipients: 1 } as const,
});
const recipients = [{ subscriberId: 'one', transactionId: 'two' }];

/** Plans as a poll does after an hour with incidents: all candidates in one message. */
const announceAll: Parameters<Store['alerting']['announce']>[1] = ({ candidates }) => {
  const rows = candidates.map(({ episodeId }) => ({
    ...{ episodeId, reason: 'new' as const, failures: 1, relapses: 0, critical: false, missed: null },
  }));
  return { message: rows.length === 0 ? null : { rows, mention: null, heldBack: null }, held: [] };
};

const settings = { ...UNFILTERED, threshold: { failures: 5, withinMs: 600_000, rate: 0.1 } };
const eachFilter = (call: (name: (typeof FILTER_NAMES)[number]) => Promise<unknown>) => inTurn(FILTER_NAMES, call);

async function inTurn<Item>(items: readonly Item[], call: (item: Item) => Promise<unknown>): Promise<void> {
  for (const item of items) await call(item);
}

export const STORE_CALLS: StoreCalls = {
  polling: {
    dueForAnnouncing: ({ polling }, { now }) => polling.dueForAnnouncing(now),
    noteAnnounced: ({ polling }, { now }) => polling.noteAnnounced({ environment: AGED, news: 1 }, now),
    clockAheadMs: ({ polling }) => polling.clockAheadMs(AGED),
    health: ({ polling }, { now }) => polling.health(now),
    coverage: ({ polling }) => polling.coverage(AGED),
    gapsIn: ({ polling }, { now }) => polling.gapsIn(AGED, lastDay(now)),
    failuresIn: async ({ polling }, { now }) => {
      await polling.failuresIn(AGED, lastHour(now), lastDay(now), ALL_FAILURES);
      await eachFilter((name) =>
        polling.failuresIn(AGED, lastHour(now), lastDay(now), { ...ALL_FAILURES, [name]: ['one'] }),
      );
    },
    countedIn: async ({ polling }, { now, episodeId }) => {
      const buckets = bucketsOf(lastHour(now));
      await polling.countedIn(AGED, buckets, { is: 'filter', filter: ALL_FAILURES });
      await polling.countedIn(AGED, buckets, { is: 'filter', filter: { ...ALL_FAILURES, workflows: ['workflow-1'] } });
      await polling.countedIn(AGED, buckets, { is: 'incident', episodeId });
    },
    workflows: ({ polling }) => polling.workflows(AGED),
    knownNames: ({ polling }) => polling.knownNames(),
    namesSeen: ({ polling }) => eachFilter((name) => polling.namesSeen(AGED, name)),
  },
  incidents: {
    actedOn: ({ incidents }, subject) => incidents.actedOn(target(subject), subject.now),
    acknowledge: ({ incidents }, subject) => incidents.acknowledge(target(subject), 'U0ANN', subject.now),
    unacknowledge: ({ incidents }, subject) =>
      incidents.unacknowledge(target(subject), { of: 'U0ANN', by: 'U0ANN' }, subject.now),
    assign: ({ incidents }, subject) =>
      incidents.assign(target(subject), { to: 'U0BEN', by: 'U0ANN', at: subject.now }),
    addNote: ({ incidents }, subject) =>
      incidents.addNote(target(subject), { by: 'U0ANN', at: subject.now, text: 'Rolled back.' }),
    mute: async ({ incidents }, { now, groupKey }) => {
      const mute = { by: 'U0ANN', until: before(now, -60) };
      await incidents.mute('watch-1', groupKey, mute, now);
      await incidents.mute('watch-1', null, mute, now);
    },
    mutesOf: ({ incidents }, { now }) => incidents.mutesOf('watch-1', now),
    unmute: async ({ incidents }, { now, groupKey }) => {
      await incidents.unmute('watch-1', groupKey, 'U0ANN', now);
      await incidents.unmute('watch-1', null, 'U0ANN', now);
    },
    episodeFailures: ({ incidents }, { episodeId }) =>
      incidents.episodeFailures(episodeId, { upTo: null, offset: 0, limit: 10 }),
    mostAffected: ({ incidents }, { episodeId }) => incidents.mostAffected(episodeId, 10),
    affected: ({ incidents }, { episodeId }) => incidents.affected(episodeId, { after: null, limit: 10 }),
    inCommon: ({ incidents }, { episodeId }) => incidents.inCommon(episodeId),
    incidentsOf: ({ incidents }, { now, groupKey }) => incidents.incidentsOf([groupKey], now),
    openIncidents: ({ incidents }, { now }) => incidents.openIncidents(envs, { offset: 0, limit: 10 }, now),
    openByOwner: ({ incidents }, { now }) => incidents.openByOwner(envs, 10, now),
    failingProviders: ({ incidents }, { now }) => incidents.failingProviders(AGED, now),
    outstanding: ({ incidents }, { now }) => incidents.outstanding(envs, now),
    history: async ({ incidents }, { now }) => {
      const asked = { environment: AGED, since: before(now, 1440), olderThan: null, limit: 10 };
      await incidents.history({ ...asked, filter: ALL_FAILURES }, now);
      await eachFilter((name) =>
        incidents.history({ ...asked, filter: { ...ALL_FAILURES, [name]: ['subscriber-1'] } }, now),
      );
    },
    incidentsOver: ({ incidents }, { now }) => incidents.incidentsOver(envs, lastDay(now), 10),
    endingMutes: ({ incidents }, { now }) => incidents.endingMutes(envs, lastDay(now), 10),
    resolve: ({ incidents }, subject) => incidents.resolve(target(subject), 'U0ANN', subject.now),
  },
  alerting: {
    settleIncidents: ({ alerting }, { now }) => alerting.settleIncidents(AGED, now),
    redrawAfterMutes: ({ alerting }, { now }) => alerting.redrawAfterMutes(now),
    announceGaps: ({ alerting }, { now }) => alerting.announceGaps(AGED, () => true, now),
    announceChanges: ({ alerting }, { now }) => alerting.announceChanges(AGED, () => true, now),
    announce: ({ alerting }, { now }) => alerting.announce(AGED, announceAll, now),
    lastSummaries: ({ alerting }) => alerting.lastSummaries(),
    checked: ({ alerting }) => alerting.checked(envs),
    writeSummary: ({ alerting }, { watch, now }) => {
      const environments = envs.map((environment) => ({ environment, coverage: lastDay(now), delayed: null }));
      return alerting.writeSummary({ watch, day: '9999-01-01', range: lastDay(now), environments }, now);
    },
    pastIncidents: async ({ alerting }, { now }) => {
      const filter = { ...EVERYTHING, topics: ['topic-1'], tags: ['tag-1'], subscribers: ['subscriber-1'] };
      const threshold = { failures: 5, withinMs: 600_000, rate: 0.1 };
      await alerting.pastIncidents(AGED, { ...settings, threshold }, before(now, 720));
      await alerting.pastIncidents(AGED, { ...settings, threshold, filter }, before(now, 720));
    },
  },
  deliveries: {
    nextDeliveryAt: ({ deliveries }, { now }) => deliveries.nextDeliveryAt(now),
    claimMessage: ({ deliveries }, { now }) => deliveries.claimMessage(now),
    content: async ({ deliveries, executeSql }, { now }) => {
      const { rows } = await executeSql(
        'SELECT DISTINCT ON (kind) id, kind FROM messages ORDER BY kind, created_at DESC',
      );
      const Messages = z.array(z.object({ id: z.string(), kind: z.string() }));
      await inTurn(Messages.parse(rows), ({ id }) => deliveries.content(id, now));
    },
    notePosted: ({ deliveries }, { digestId, now }) =>
      deliveries.notePosted(digestId, { ts: '1.1', fingerprint: 'print', failures: 1 }, now),
    noteNotPosted: ({ deliveries }, subject) => deliveries.noteNotPosted(claimed(subject), 'reason', subject.now),
    noteRateLimited: ({ deliveries }, subject) => deliveries.noteRateLimited(claimed(subject), subject.now),
    renewClaim: ({ deliveries }, subject) => deliveries.renewClaim(claimed(subject)),
    noteUnresolved: ({ deliveries }, subject) => deliveries.noteUnresolved(claimed(subject), 3_000),
    noteGivenUp: ({ deliveries }, subject) => deliveries.noteGivenUp(claimed(subject), 'reason'),
    claimEdit: ({ deliveries }, { now }) => deliveries.claimEdit(now),
    noteEdited: ({ deliveries }, subject) =>
      deliveries.noteEdited(posted(subject), { fingerprint: 'other', failures: 2 }),
    noteNotEdited: ({ deliveries }, subject) => deliveries.noteNotEdited(posted(subject), subject.now),
    pauseEdits: ({ deliveries }, { now }) => deliveries.pauseEdits(now),
    noteDeleted: ({ deliveries }, subject) => deliveries.noteDeleted(posted(subject)),
    noteFrozen: ({ deliveries }, subject) =>
      deliveries.noteFrozen(posted(subject), { reason: 'cant_update_message', scope: 'channel' }, subject.now),
    noteShutOut: ({ deliveries }, subject) => {
      const trouble = { reason: 'is_archived', operators: [], retryAt: subject.now };
      return deliveries.noteShutOut(claimed(subject), 'channel-archived', trouble, subject.now);
    },
    digestRows: ({ deliveries }, { digestId, now }) => deliveries.digestRows(digestId, { offset: 0, limit: 10 }, now),
    releaseClaims: ({ deliveries }) => deliveries.releaseClaims(1_000),
    lastDeliveryAt: ({ deliveries }) => deliveries.lastDeliveryAt(),
    noteDelivered: ({ deliveries }, { now }) => deliveries.noteDelivered(now, 1_000),
    editRefusals: ({ deliveries }) => deliveries.editRefusals(),
  },
  changes: {
    serviceEnvironmentId: ({ changes }) => changes.serviceEnvironmentId(AGED),
    noteIntegrations: ({ changes }, { now }) =>
      changes.noteIntegrations(
        AGED,
        { serviceEnvironmentId: 'environment', integrations: [], isWhole: true },
        { from: before(now, -1), to: before(now, -2) },
      ),
    noteDeploy: ({ changes }, { now }) =>
      changes.noteDeploy({ environment: AGED, name: 'release', by: { userId: 'U0ANN', channel: 'C1' } }, now),
    changesSince: ({ changes }, { now }) =>
      changes.changesSince({ since: before(now, 1440), environments: envs, olderThan: null, limit: 10 }),
  },
  audit: {
    recordChange: ({ audit }, { now }) => audit.recordChange(entry(now, 'intent-new')),
    settleChange: ({ audit }) => audit.settleChange('intent-new', { is: 'done' }),
    auditEntries: ({ audit }, { now }) =>
      audit.auditEntries({ since: before(now, 1440), environments: envs, olderThan: null, limit: 10 }),
  },
  triggers: {
    claimIntent: ({ triggers }, { now }) =>
      triggers.claimIntent(
        { id: 'intent-newer', environment: AGED, actor: 'U0ANN', workflow: 'workflow-1', recipients },
        entry(now, 'intent-newer'),
      ),
    noteResults: ({ triggers }) => triggers.noteResults('intent-newer', []),
    noteProgressMessage: ({ triggers }) => triggers.noteProgressMessage('intent-newer', { channel: 'C1', ts: '1.1' }),
    closeIntent: ({ triggers }, { now }) => triggers.closeIntent('intent-newer', now),
    keptTrigger: ({ triggers }) => triggers.keptTrigger('intent-newer'),
    unfinishedIntents: ({ triggers }, { now }) => triggers.unfinishedIntents(before(now, 1440)),
  },
  operation: {
    backlog: ({ operation }) => operation.backlog(),
    blockedChannels: ({ operation }) => operation.blockedChannels(),
    replicas: ({ operation }) => operation.replicas(),
    lastHeartbeat: ({ operation }) => operation.lastHeartbeat(),
    noteHeartbeat: ({ operation }, { now }) => operation.noteHeartbeat({ outcome: 'answered', why: null, at: now }),
    prune: ({ operation }, { now }) => operation.prune(now, 30),
  },
  watches: {
    ensureWatch: ({ watches }, { now }) => watches.ensureWatch('C9', now),
    configureWatch: async ({ watches }, { now }) => {
      await watches.configureWatch('C8', now);
      await watches.configureWatch(null, now);
    },
    makeWatch: ({ watches }, { now }) => watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings }, now),
    changeWatch: ({ watches }, { watch, now }) =>
      watches.changeWatch(watch.id, { settings, was: settingsKey(watch.settings), by: 'U0ANN' }, now),
    watches: async ({ watches }) => {
      await watches.watches();
      await watches.watches('C1');
    },
    watch: ({ watches }) => watches.watch('watch-1'),
    endWatch: ({ watches }, { now }) => watches.endWatch('watch-4', 'U0ANN', now),
    timeZoneOf: ({ watches }) => watches.timeZoneOf('C1'),
    channelEnvironment: ({ watches }) => watches.channelEnvironment('C1'),
    environmentOf: ({ watches }) => watches.environmentOf('C1'),
    setChannelEnvironment: ({ watches }, { now }) =>
      watches.setChannelEnvironment('C1', { environment: AGED, by: 'U0ANN', at: now }),
  },
};
