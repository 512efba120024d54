import { randomUUID } from 'node:crypto';
import { createKinds } from '../../src/app/kinds.ts';
import { ANNOUNCE, DELIVER, loopTable } from '../../src/app/loops.ts';
import { explainCause } from '../../src/causes/explain-cause.ts';
import { createUnreadable } from '../../src/health/unreadable.ts';
import { createTraffic } from '../../src/judging/traffic.ts';
import { anEnvironment } from '../../src/lib/environment.testing.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { type Loop, untilDue } from '../../src/lib/loop.ts';
import { createSeal } from '../../src/lib/seal.ts';
import { createClockGuard } from '../../src/lib/time/clock-guard.ts';
import { sleep } from '../../src/lib/time/waiting.ts';
import { UNKNOWN_WORKSPACE } from '../../src/lib/workspace.testing.ts';
import { createPolls } from '../../src/polling/check-now.ts';
import type { TriggerService } from '../../src/sendings/reread-events.ts';
import { continueSendings } from '../../src/sendings/sending-loop.ts';
import type { SendCtx } from '../../src/sendings/sending-rows.ts';
import { createPublisher } from '../../src/slack/features/posts/publisher.ts';
import { type Connect, type Ctx, type Db, dbOn } from '../../src/store/db.ts';
import type { DifficultService } from './difficult-service.ts';
import type { DifficultSlack } from './difficult-slack.ts';
import type { Stretch } from './facts.ts';
import { mortalConnect, ProcessKilledError, type Turns } from './mortal-database.ts';
import { createServiceClient } from './service-client.ts';
import type { VirtualTime } from './virtual-time.ts';

const ENVIRONMENT = anEnvironment();

export interface ProcessParts {
  connect: Connect;
  turns: Turns;
  time: VirtualTime;
  service: DifficultService;
  slack: DifficultSlack;
  pollMs: number;
  horizonMs: number;
  /** How far this process's clock is ahead of true time, and the database's. */
  clockAheadMs: () => number;
  databaseAheadMs: () => number;
  frozen: Stretch | null;
  /** When whatever shows this cause throws; null: never. */
  bug: (Stretch & { cause: string }) | null;
  /** The statement, counted from the start, at which the process is killed; null if it isn't. */
  diesAtStatement: number | null;
  /** Makes any of the processes run a loop soon. */
  wake: (loop: string) => void;
  onHeartbeat: (isSent: boolean) => void;
  onDeath: () => void;
  /** Called when a run ended with an unexpected error. */
  onLoopError: (loop: string, error: unknown) => void;
}

/** A bug while a message is drawn. */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
}

/** A run of Notif: the loops of src/app/loops.ts, over a store, a service and a Slack of the model. */
export interface NotifProcess {
  loops: readonly Loop[];
  /** Runs a loop once. If it's running already, it runs once more afterwards. */
  run(loop: Loop): void;
  kill(): void;
}

export function startProcess(parts: ProcessParts): NotifProcess {
  const { time, turns, onDeath, onLoopError } = parts;
  const life = new AbortController();
  const running = new Set<string>();
  const wanted = new Set<string>();
  let statements = 0;
  let callOffNext = () => {};

  function kill(): void {
    if (life.signal.aborted) return;
    life.abort(new ProcessKilledError());
    onDeath();
  }

  function step(): void {
    if (!life.signal.aborted && statements++ === parts.diesAtStatement) kill();
    life.signal.throwIfAborted();
  }

  async function thawed(): Promise<void> {
    const { frozen } = parts;
    if (frozen !== null && time.now() >= frozen.from && time.now() < frozen.to)
      await time.sleep(frozen.to - time.now(), life.signal);
  }

  function run(loop: Loop): void {
    if (life.signal.aborted) return;
    if (running.has(loop.name)) {
      wanted.add(loop.name);
      return;
    }
    running.add(loop.name);
    const stop = new AbortController();
    const callOff = time.at(time.now() + loop.timeLimitMs, () => stop.abort(new Error('the run took too long')));
    const noted = runAndPlan(loop, AbortSignal.any([stop.signal, life.signal])).catch((error: unknown) => {
      if (!life.signal.aborted && !stop.signal.aborted) onLoopError(loop.name, error);
    });
    void noted.finally(() => {
      callOff();
      running.delete(loop.name);
      if (wanted.delete(loop.name)) run(loop);
    });
  }

  /** Works as src/lib/loop.ts does, in virtual time: what is due before the interval is over gets a run. */
  async function runAndPlan(loop: Loop, signal: AbortSignal): Promise<void> {
    await thawed();
    await loop.run(signal);
    const nextAt = signal.aborted ? null : await loop.nextAt?.();
    if (!nextAt) return;
    callOffNext();
    const waitMs = untilDue(nextAt, new Date(time.now() + parts.clockAheadMs()));
    callOffNext = time.at(time.now() + waitMs, () => life.signal.aborted || parts.wake(loop.name));
  }

  const db = dbOn(
    mortalConnect(parts.connect, turns, { step, thawed }, () => time.now() + parts.databaseAheadMs()),
    { logger: silent },
  );
  return { loops: loopsOver(parts, db, { life: life.signal, thawed }), run, kill };
}

function loopsOver(parts: ProcessParts, db: Db, process: { life: AbortSignal; thawed: () => Promise<void> }): Loop[] {
  const { time, service, slack, pollMs, horizonMs, onHeartbeat } = parts;
  const nowMs = () => time.now() + parts.clockAheadMs();
  const now = () => new Date(nowMs());
  const model = { service, time, environment: ENVIRONMENT, now: nowMs };
  const { client, heldForMs } = createServiceClient({ ...model, ...process });
  const environments = [ENVIRONMENT];
  const publisher = createPublisher({
    postingClient: slack.client(process),
    logger: silent,
    storeCode: '0a1b2c3d',
    environments,
    workspace: { namesOf: async () => new Map() },
    channels: { newId: async () => null },
    explainCause: (failure) => {
      const { bug } = parts;
      const isHit = bug !== null && bug.cause === failure.cause.text && time.now() >= bug.from && time.now() < bug.to;
      if (isHit) throw new DrawingError();
      return explainCause(failure);
    },
    sleep,
  });
  const traffic = createTraffic();
  const wake = async (loop: string) => parts.wake(loop);
  const callHeartbeat = async () => {
    onHeartbeat(true);
    return null;
  };
  const warn = (_: object, sentence: string) => void (sentence.startsWith('Heartbeat withheld') && onHeartbeat(false));
  const logger = { ...silent, warn };
  const loops = loopTable({
    db,
    environments,
    logger,
    now,
    pollMs,
    horizonMs,
    explainCause,
    heldForMs,
    publisher,
    traffic,
    countRecorded: () => {},
    kinds: createKinds({ ...UNKNOWN_WORKSPACE, logger, now, retentionDays: 30 }),
    clock: createClockGuard({ now, elapsedMs: () => time.now() }),
    isEmbedded: false,
    vacuum: async () => {},
    readUnreadable: createUnreadable(db),
    isOurs: () => true,
    ...UNKNOWN_WORKSPACE,
    retentionDays: DAYS_KEPT,
    channels: { ...UNKNOWN_WORKSPACE.channels, ask: async () => CHANNEL },
    wake,
    wakeAnnouncing: () => wake(ANNOUNCE),
    wakeOutbox: () => wake(DELIVER),
    polls: createPolls({ wakePoll: async () => {}, sleep: async () => {}, heldForMs }),
    behind: () => [],
    callHeartbeat,
    notifyAlertmanager: null,
    slackCheck: { trouble: () => null, run: async () => {} },
    strangers: { run: async () => {} },
    isAtHome: () => true,
    serviceOf: () => client,
    continueSendings: (signal) => continueSendings(sendCtx({ db, logger: silent, now }, client), signal),
  });
  return loops.filter(({ name }) => !/^(integrations|summaries|slack)/.test(name));
}

export const sendCtx = (ctx: Ctx, service: TriggerService): SendCtx => ({
  ...ctx,
  seal: createSeal('xoxb-model'),
  serviceOf: () => service,
  wakeOutbox: async () => {},
  newId: randomUUID,
});

/** Slack's answer about each channel, whatever it answers to a post there. */
const CHANNEL = { isMember: true, isArchived: false, isShared: false, isPublic: true };

/** NOTIF_RETENTION_DAYS */
const DAYS_KEPT = 30;
