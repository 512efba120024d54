import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Ctx } from '../store/db.ts';
import { countUnexpired, putValue } from '../store/kv.ts';
import { type Finding, problem } from './finding.ts';

interface StrangersCtx extends Ctx {
  /** Of this process. */
  replicaId: string;
  socketsEach: number;
  /** Has Slack say again how many connections its app has. */
  recount: () => void;
}

export interface Strangers {
  noteHello(connections: number): Promise<void>;
  /** Counts again, since Slack says the number only to a new connection: at a refresh, after hours. */
  suspect(): void;
  run(): Promise<void>;
  trouble(): Finding | null;
}

interface Excess {
  since: number;
  at: number;
  connections: number;
  ours: number;
}

const REPLICA = 'replica';
/** A replica announces itself every two minutes. */
const ANNOUNCED_MS = 5 * MINUTE_MS;
/** Deploys overlap for less, and Slack still counts what has just closed. */
const LASTING_MS = 3 * MINUTE_MS;

/** What is known is counted again less often, to see its end: a click can be lost while a connection closes. */
const KNOWN_MS = 5 * MINUTE_MS;

/** Slack gives each click to one of its app's connections: where two stores share the tokens, also to the wrong one. */
export function createStrangers(ctx: StrangersCtx): Strangers {
  const { db, logger, now, replicaId, socketsEach, recount } = ctx;
  let excess: Excess | null = null;
  let countedAt = -Infinity;

  async function liveReplicas(): Promise<number | null> {
    const at = now();
    try {
      await putValue(db, `${REPLICA}:${replicaId}`, {
        Value: z.literal(true),
        value: stored(true),
        expiresAt: addMilliseconds(at, ANNOUNCED_MS),
      });
      return await countUnexpired(db, REPLICA, at);
    } catch (err) {
      logger.warn({ err }, "This replica couldn't be announced, nor the others counted");
      return null;
    }
  }

  const lasting = (): Excess | null => (excess !== null && excess.at - excess.since >= LASTING_MS ? excess : null);

  return {
    async noteHello(connections) {
      const at = now().getTime();
      countedAt = at;
      const replicas = await liveReplicas();
      if (replicas === null) return;
      const ours = socketsEach * replicas;
      excess = connections > ours ? { since: excess?.since ?? at, at, connections, ours } : null;
      const isLasting = lasting() !== null;
      logger[isLasting ? 'warn' : 'debug']({ connections, ours }, 'Slack counted the connections of its app');
    },
    suspect() {
      if (now().getTime() - countedAt >= MINUTE_MS) recount();
    },
    async run() {
      await liveReplicas();
      const everyMs = lasting() === null ? 0 : KNOWN_MS;
      if (excess !== null && now().getTime() - countedAt >= everyMs) recount();
    },
    trouble() {
      const found = lasting();
      if (found === null) return null;
      const { connections, ours } = found;
      const what = `Slack counts ${connections} connections of this app, and Notif has ${ours}: another Notif uses its tokens, and gets a part of what people type and press.`;
      return problem(what, 'Give each Notif a Slack app of its own (docs/slack-app.md), or stop the other one.');
    },
  };
}
