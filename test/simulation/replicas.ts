import { ANNOUNCE, DELIVER } from '../../src/app/loops.ts';
import type { OpenDb } from '../../src/store/open.ts';
import type { DifficultService } from './difficult-service.ts';
import type { DifficultSlack } from './difficult-slack.ts';
import { drawKills, type Troubles, WRONG_MS } from './draw-troubles.ts';
import type { Turns } from './mortal-database.ts';
import { type NotifProcess, startProcess } from './notif-process.ts';
import type { Story } from './story.ts';
import { SECOND, type VirtualTime } from './virtual-time.ts';
import type { World } from './world.ts';

/** While a process is frozen, another one goes on. */
export const replicasIn = (world: World): number => (world.has('two-replicas') || world.has('freezes') ? 2 : 1);

/** How far a replica's clock is ahead or behind at most. */
export const MOST_AHEAD_MS = 45 * SECOND;
/** A killed process starts again within this time. */
export const MOST_SECONDS_DEAD = 90;

interface Heartbeat {
  at: number;
  isSent: boolean;
}

interface LoopError {
  at: number;
  loop: string;
  error: unknown;
}

/** The processes of a Notif, one for each replica, and what was seen of them. */
export interface Replicas {
  startAll(): void;
  /** Kills all processes. They start again by themselves, unless Notif is stopped. */
  killAll(): void;
  stop(): void;
  /** Starts all of a stopped Notif. */
  resume(): void;
  /** Runs these loops on one of the processes, which the seed chooses. */
  runOnOne(isWanted: (loop: string) => boolean): void;
  /** Runs announcing and delivery if nothing has woken them since a time. */
  runMissed(since: number): void;
  heartbeats: readonly Heartbeat[];
  loopErrors: readonly LoopError[];
  /** When processes ended. */
  deaths: readonly number[];
}

export interface ReplicasParts {
  world: World;
  story: Story;
  troubles: Troubles;
  database: OpenDb;
  turns: Turns;
  time: VirtualTime;
  service: DifficultService;
  slack: DifficultSlack;
  /** How far the clocks of Notif and of its database are ahead of true time now. */
  aheadMs: () => number;
}

export function createReplicas(parts: ReplicasParts): Replicas {
  const { world, story, troubles, database, turns, time, service, slack, aheadMs } = parts;
  const heartbeats: Heartbeat[] = [];
  const loopErrors: LoopError[] = [];
  const deaths: number[] = [];
  const processes: (NotifProcess | null)[] = Array.from({ length: replicasIn(world) }, () => null);
  const kills = drawKills(world);
  const clocks = world.random('replica clocks');
  const most = MOST_AHEAD_MS / SECOND;
  const clockAhead = processes.map(() => (world.has('replica-clocks') ? clocks.between(-most, most) * SECOND : 0));
  const choices = world.random('replicas');
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
      clockAheadMs: () => (clockAhead[replica] ?? 0) + aheadMs() + (time.now() === troubles.wrongAt ? WRONG_MS : 0),
      databaseAheadMs: aheadMs,
      bug: troubles.bug,
      frozen: replica === 0 ? troubles.frozen : null,
      diesAtStatement: time.now() < story.calmFrom ? (kills[starts++] ?? null) : null,
      wake: (loop) =>
        void time.at(time.now(), () => (loop === DELIVER ? deliver() : runOnOne((name) => name === loop))),
      onHeartbeat: (isSent) => heartbeats.push({ at: time.now(), isSent }),
      onDeath: () => {
        processes[replica] = null;
        deaths.push(time.now());
        if (isStopped) return;
        const restartsAt = time.now() + restarts.between(2, MOST_SECONDS_DEAD) * SECOND;
        time.at(restartsAt, () => !isStopped && start(replica));
      },
      onLoopError: (loop, error) => loopErrors.push({ at: time.now(), loop, error }),
    });
  }

  function startAll(): void {
    for (const [replica, process] of processes.entries()) if (process === null) start(replica);
  }

  function killAll(): void {
    for (const process of processes) process?.kill();
  }

  function runOnOne(isWanted: (loop: string) => boolean): void {
    const alive = processes.filter((process) => process !== null);
    if (alive.length === 0) return;
    const chosen = alive[choices.between(0, alive.length - 1)];
    for (const loop of chosen?.loops ?? []) {
      if (!isWanted(loop.name)) continue;
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

  return {
    startAll,
    killAll,
    stop: () => {
      isStopped = true;
      killAll();
    },
    resume: () => {
      isStopped = false;
      startAll();
    },
    runOnOne,
    runMissed: (since) => {
      if (announcedAt < since) runOnOne((name) => name === ANNOUNCE);
      if (deliveredAt < since) deliver();
    },
    heartbeats,
    loopErrors,
    deaths,
  };
}
