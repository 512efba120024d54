import { ANNOUNCE, DELIVER, PRUNE } from '../../src/app/loops.ts';
import type { Db } from '../../src/store/db.ts';
import type { OpenDb } from '../../src/store/open.ts';
import { madeWatch } from '../../src/watches/watches.testing.ts';
import { createDifficultService, type DifficultService } from './difficult-service.ts';
import { createDifficultSlack, type DifficultSlack } from './difficult-slack.ts';
import { drawStory } from './draw-story.ts';
import { drawStops, drawTroubles } from './draw-troubles.ts';
import type { Stretch } from './facts.ts';
import { keepCopy, restoreCopy } from './failover.ts';
import { createTurns } from './mortal-database.ts';
import { performAct } from './perform-act.ts';
import { createReplicas, type Replicas } from './replicas.ts';
import { type Sample, sampleOf } from './samples.ts';
import type { Done, Excerpt, Story, StoryAct } from './story.ts';
import { createVirtualTime, MINUTE } from './virtual-time.ts';
import type { World } from './world.ts';

/** What was seen from outside while a combination was played. */
export interface Played {
  world: World;
  story: Story;
  service: DifficultService;
  slack: DifficultSlack;
  heartbeats: Replicas['heartbeats'];
  /** When polls were due, whether or not a process was running. */
  polls: readonly number[];
  absences: readonly Stretch[];
  /** When processes ended. */
  deaths: readonly number[];
  samples: readonly Sample[];
  done: readonly Done[];
  /** When Notif's clock was set, and how far it is ahead of true time at a time. */
  clockStepAt: number | null;
  ourAheadMs: (at: number) => number;
  /** When a process was frozen, and which time the database lost. */
  frozen: Stretch | null;
  failover: Stretch | null;
  loopErrors: Replicas['loopErrors'];
}

/** The minimum poll interval after the story, when only late events are left. An interval of 15 minutes would be a gap. */
export const TAIL_POLL_MS = 14 * MINUTE;

const PRUNE_EVERY_MS = 60 * MINUTE;
/** Loops that don't run with the polls. */
const OTHER_TIMES: readonly string[] = [ANNOUNCE, DELIVER, PRUNE];

/** Plays a story in a world, from Notif's first start until all late events have come. The database must have the tables and no rows. */
export async function play(world: World, database: OpenDb, excerpt: Excerpt | null = null): Promise<Played> {
  const drawn = drawStory(world, excerpt);
  const troubles = drawTroubles(world, drawn);
  const { clockStep, frozen, failover, wrongAt } = troubles;
  // Without a Date header, Notif reads the time that its clock was set back over only when that time comes again.
  const againMs = world.has('no-date') ? Math.max(0, -(clockStep?.ms ?? 0)) : 0;
  const story = { ...drawn, end: drawn.end + againMs };
  const time = createVirtualTime(story.start);
  const turns = createTurns(time);
  const service = createDifficultService(world, story);
  const slack = createDifficultSlack(world, story, time);
  const ourAheadMs = (at: number) => (clockStep !== null && at >= clockStep.at ? clockStep.ms : 0);
  const aheadMs = () => ourAheadMs(time.now());
  const replicas = createReplicas({ world, story, troubles, database, turns, time, service, slack, aheadMs });
  const samples: Sample[] = [];
  const done: Done[] = [];
  const polls: number[] = [];
  const sample = async () => void samples.push(await sampleOf(database.db, time.now(), time.now() + aheadMs()));

  function planPolls(): void {
    // Notif goes on within five minutes with what a rate limit cut off.
    const tailMs = world.has('rate-limit') || world.has('rate-limit-bare') ? 0 : TAIL_POLL_MS;
    for (let at = story.start, everyMs = 0; at < story.end; at += everyMs) {
      everyMs = at < story.calmFrom + story.tailFromMs ? story.pollMs : Math.max(story.pollMs, tailMs);
      polls.push(at);
      time.at(at, async () => {
        await turns(sample);
        replicas.runOnOne((name) => !OTHER_TIMES.includes(name));
      });
      time.at(at + everyMs / 2, async () => {
        await turns(sample);
        replicas.runMissed(at);
      });
    }
  }

  function planPrunes(): void {
    const prune = () => replicas.runOnOne((name) => name === PRUNE);
    const isPruned = world.size === 'full' || world.random('prune').chance(0.3);
    for (let at = story.start + PRUNE_EVERY_MS; isPruned && at < story.end; at += PRUNE_EVERY_MS) time.at(at, prune);
    if (wrongAt !== null) time.at(wrongAt, prune);
  }

  function planFailover({ from, to }: Stretch): void {
    time.at(from, () => turns(() => keepCopy(database.db)));
    time.at(to, () => {
      replicas.killAll();
      void turns(() => restoreCopy(database.db));
    });
  }

  const perform = (somebody: StoryAct) =>
    turns(async () => {
      // Samples around each act keep two of them between two polls apart.
      await sample();
      const act = await performAct(database.db, somebody, aheadMs());
      if (act !== null) done.push({ ...act, at: time.now() });
      await sample();
      if (act?.undo) time.at(act.undo.at, () => perform(act.undo ?? somebody));
      replicas.runOnOne((name) => name === ANNOUNCE);
    });

  await makeWatches(story, database.db, time.now());
  planPolls();
  planPrunes();
  if (failover !== null) planFailover(failover);
  const absences = drawStops(world, story);
  for (const { from, to } of absences) {
    time.at(from, replicas.stop);
    time.at(to, replicas.resume);
  }
  for (const somebody of story.acts) time.at(somebody.at, () => perform(somebody));
  replicas.startAll();
  await time.runUntil(story.end);
  await sample();

  // Ending the play isn't a death.
  const deaths = [...replicas.deaths];
  replicas.killAll();
  const { heartbeats, loopErrors } = replicas;
  const clockStepAt = clockStep?.at ?? null;
  const isLost = ({ at }: Done) => failover !== null && at >= failover.from && at <= failover.to;
  return {
    ...{ world, story, service, slack, heartbeats, loopErrors, polls, absences, deaths, samples },
    ...{ clockStepAt, ourAheadMs, frozen, failover },
    done: done.filter((act) => !isLost(act)),
  };
}

async function makeWatches({ watches }: Story, db: Db, now: number): Promise<void> {
  for (const [index, watch] of watches.entries())
    await madeWatch(db, { ...watch, createdBy: 'U0ANN' }, new Date(now - MINUTE + index));
}
