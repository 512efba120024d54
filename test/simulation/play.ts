import { ANNOUNCE, DELIVER, PRUNE } from '../../src/app/loops.ts';
import type { Db } from '../../src/store/db.ts';
import type { OpenDb } from '../../src/store/open.ts';
import { madeWatch } from '../../src/watches/watches.testing.ts';
import { createDifficultService, type DifficultService } from './difficult-service.ts';
import { createDifficultSlack, type DifficultSlack } from './difficult-slack.ts';
import { drawStory } from './draw-story.ts';
import { drawKills, drawStops, drawTroubles, WRONG_MS } from './draw-troubles.ts';
import type { Stretch } from './facts.ts';
import { keepCopy, restoreCopy } from './failover.ts';
import { createTurns } from './mortal-database.ts';
import { type NotifProcess, startProcess } from './notif-process.ts';
import { performAct } from './perform-act.ts';
import { type Sample, sampleOf } from './samples.ts';
import type { Done, Excerpt, Story, StoryAct } from './story.ts';
import { createVirtualTime, MINUTE, SECOND } from './virtual-time.ts';
import type { World } from './world.ts';

/** While a process is frozen, another one goes on. */
export const replicasIn = (world: World) => (world.has('two-replicas') || world.has('freezes') ? 2 : 1);

interface Heartbeat {
  at: number;
  isSent: boolean;
}

interface LoopError {
  at: number;
  loop: string;
  error: unknown;
}

/** What was seen from outside while a combination was played. */
export interface Played {
  world: World;
  story: Story;
  service: DifficultService;
  slack: DifficultSlack;
  heartbeats: readonly Heartbeat[];
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
  loopErrors: readonly LoopError[];
}

/** The minimum poll interval after the story, when only late events are left. An interval of 15 minutes would be a gap. */
export const TAIL_POLL_MS = 14 * MINUTE;

/** How far a replica's clock is ahead or behind at most. */
export const MOST_AHEAD_MS = 45 * SECOND;
const PRUNE_EVERY_MS = 60 * MINUTE;
/** A killed process starts again within this time. */
export const MOST_SECONDS_DEAD = 90;
/** Loops that don't run with the polls. */
const OTHER_TIMES: readonly string[] = [ANNOUNCE, DELIVER, PRUNE];

/** Plays a story in a world, from Notif's first start until all late events have come. The database must have the tables and no rows. */
export async function play(world: World, database: OpenDb, excerpt: Excerpt | null = null): Promise<Played> {
  const drawn = drawStory(world, excerpt);
  const { clockStep, frozen, bug, failover, wrongAt } = drawTroubles(world, drawn);
  // Without a Date header, Notif reads the time that its clock was set back over only when that time comes again.
  const againMs = world.has('no-date') ? Math.max(0, -(clockStep?.ms ?? 0)) : 0;
  const story = { ...drawn, end: drawn.end + againMs };
  const time = createVirtualTime(story.start);
  const service = createDifficultService(world, story);
  const slack = createDifficultSlack(world, story, time);
  const turns = createTurns(time);
  const heartbeats: Heartbeat[] = [];
  const loopErrors: LoopError[] = [];
  const processes: (NotifProcess | null)[] = Array.from({ length: replicasIn(world) }, () => null);
  const absences: Stretch[] = [];
  const deaths: number[] = [];
  const samples: Sample[] = [];
  const done: Done[] = [];
  const ourAheadMs = (at: number) => (clockStep !== null && at >= clockStep.at ? clockStep.ms : 0);
  const stepMs = () => ourAheadMs(time.now());
  const ourNow = () => time.now() + stepMs();
  const polls: number[] = [];
  const kills = drawKills(world);
  const clocks = world.random('replica clocks');
  const clockAhead = processes.map(() => (world.has('replica-clocks') ? clocks.between(-45, 45) * SECOND : 0));
  const turnsOfReplicas = world.random('replicas');
  const isBrief = world.size === 'brief';
  let starts = 0;
  let isStopped = false;
  let deliveredAt = 0;
  let announcedAt = 0;

  function start(replica: number): void {
    const restarts = world.random(`start ${starts}`);
    processes[replica] = startProcess({
      connect: database.connect,
      turns,
      time,
      service,
      slack,
      pollMs: story.pollMs,
      horizonMs: story.horizonMs,
      clockAheadMs: () => (clockAhead[replica] ?? 0) + stepMs() + (time.now() === wrongAt ? WRONG_MS : 0),
      databaseAheadMs: stepMs,
      bug,
      frozen: replica === 0 ? frozen : null,
      diesAtStatement: time.now() < story.calmFrom ? (kills[starts++] ?? null) : null,
      wake: (loop) =>
        void time.at(time.now(), () => (loop === DELIVER ? deliver() : runOnOne((name) => name === loop))),
      onHeartbeat: (isSent) => heartbeats.push({ at: time.now(), isSent }),
      onDeath: () => {
        processes[replica] = null;
        deaths.push(time.now());
        if (!isStopped)
          time.at(time.now() + restarts.between(2, MOST_SECONDS_DEAD) * SECOND, () => !isStopped && start(replica));
      },
      onLoopError: (loop, error) => loopErrors.push({ at: time.now(), loop, error }),
    });
  }

  function startAll(): void {
    for (const [replica, process] of processes.entries()) if (process === null) start(replica);
  }

  /** Runs loops on one of the processes, which the seed chooses. */
  function runOnOne(isMeant: (name: string) => boolean): void {
    const alive = processes.filter((process) => process !== null);
    if (alive.length === 0) return;
    const chosen = alive[turnsOfReplicas.between(0, alive.length - 1)];
    for (const loop of chosen?.loops ?? []) {
      if (!isMeant(loop.name)) continue;
      if (loop.name === ANNOUNCE) announcedAt = time.now();
      chosen?.run(loop);
    }
  }

  function deliver(): void {
    deliveredAt = time.now();
    // A post can take longer than a `deliver` interval, so replicas deliver at the same time.
    for (const process of processes)
      for (const loop of process?.loops ?? []) if (loop.name === DELIVER) process?.run(loop);
  }

  /** Runs announcing and delivery if nothing has woken them since the tick. */
  function runMissed(tick: number): void {
    if (announcedAt < tick) runOnOne((name) => name === ANNOUNCE);
    if (deliveredAt < tick) deliver();
  }

  const sample = async () => void samples.push(await sampleOf(database.db, time.now(), ourNow()));
  await makeWatches(story, database.db, time.now());
  // Notif goes on within five minutes with what a rate limit cut off.
  const tailMs = world.has('rate-limit') || world.has('rate-limit-bare') ? 0 : TAIL_POLL_MS;
  for (let at = story.start, everyMs = 0; at < story.end; at += everyMs) {
    everyMs = at < story.calmFrom + story.tailFromMs ? story.pollMs : Math.max(story.pollMs, tailMs);
    polls.push(at);
    time.at(at, async () => {
      await turns(sample);
      runOnOne((name) => !OTHER_TIMES.includes(name));
    });
    time.at(at + everyMs / 2, async () => {
      await turns(sample);
      runMissed(at);
    });
  }
  const isPruned = !isBrief || world.random('prune').chance(0.3);
  for (let at = story.start + PRUNE_EVERY_MS; isPruned && at < story.end; at += PRUNE_EVERY_MS) {
    time.at(at, () => runOnOne((name) => name === PRUNE));
  }
  if (wrongAt !== null) time.at(wrongAt, () => runOnOne((name) => name === PRUNE));
  if (failover !== null) {
    time.at(failover.from, () => turns(() => keepCopy(database.db)));
    time.at(failover.to, () => {
      for (const process of processes) process?.kill();
      void turns(() => restoreCopy(database.db));
    });
  }
  for (const { from, to } of drawStops(world, story)) {
    absences.push({ from, to });
    time.at(from, () => {
      isStopped = true;
      for (const process of processes) process?.kill();
    });
    time.at(to, () => {
      isStopped = false;
      startAll();
    });
  }
  const perform = (somebody: StoryAct) =>
    turns(async () => {
      // Samples around each act keep two of them between two polls apart.
      await sample();
      const act = await performAct(database.db, somebody, ourNow() - time.now());
      if (act !== null) done.push({ ...act, at: time.now() });
      await sample();
      if (act?.undo) time.at(act.undo.at, () => perform(act.undo ?? somebody));
      runOnOne((name) => name === ANNOUNCE);
    });
  for (const somebody of story.acts) time.at(somebody.at, () => perform(somebody));
  startAll();
  await time.runUntil(story.end);
  await sample();
  const clockStepAt = clockStep?.at ?? null;
  const isLost = ({ at }: Done) => failover !== null && at >= failover.from && at <= failover.to;
  const seen = {
    heartbeats,
    polls,
    absences,
    samples,
    failover,
    done: done.filter((act) => !isLost(act)),
    clockStepAt,
    ourAheadMs,
    frozen,
    loopErrors,
  };
  // Ending the play isn't a death.
  const deathsInPlay = [...deaths];
  for (const process of processes) process?.kill();
  return { world, story, service, slack, ...seen, deaths: deathsInPlay };
}

async function makeWatches({ watches }: Story, db: Db, now: number): Promise<void> {
  for (const [index, watch] of watches.entries())
    await madeWatch(db, { ...watch, createdBy: 'U0ANN' }, new Date(now - MINUTE + index));
}
