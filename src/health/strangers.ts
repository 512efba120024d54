import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Ctx } from '../store/db.ts';
import { countUnexpired, putValue } from '../store/kv.ts';
import { type Finding, problem } from './finding.ts';

interface StrangersCtx extends Ctx {
  /** Names this process among the replicas that share the database. */
  replicaId: string;
  /** How many connections each replica has. */
  socketsEach: number;
  /** Has Slack say again how many connections its app has. */
  recount: () => void;
}

/**
 * Watches for connections to the Slack app that aren't this store's. Slack gives each click to one of the app's
 * connections: where two stores share the tokens, also to the wrong one.
 */
export interface Strangers {
  noteHello(connections: number): Promise<void>;
  /** Counts again, since Slack says the number only to a new connection: at a refresh, after hours. */
  suspect(): void;
  run(): Promise<void>;
  trouble(): Finding | null;
}

/** More connections than this store's replicas have, by Slack's count. Times are in milliseconds. */
interface Excess {
  firstCountedAt: number;
  lastCountedAt: number;
  connections: number;
  ours: number;
}

const REPLICA = 'replica';
/** An announcement holds for longer than two runs are apart, so that one may fail. */
const ANNOUNCED_MS = 5 * MINUTE_MS;
/** Deploys overlap for less, and Slack still counts what has just closed. */
const LASTING_MS = 3 * MINUTE_MS;
/** What is known is counted again less often, to see its end: a click can be lost while a connection closes. */
const KNOWN_MS = 5 * MINUTE_MS;

export function createStrangers(ctx: StrangersCtx): Strangers {
  const { db, logger, now, replicaId, socketsEach, recount } = ctx;
  let excess: Excess | null = null;
  let countedAt = -Infinity;

  /** Announces this replica, and returns how many are announced; null: the database failed. */
  async function announceAndCount(): Promise<number | null> {
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

  function lasting(): Excess | null {
    const hasLasted = excess !== null && excess.lastCountedAt - excess.firstCountedAt >= LASTING_MS;
    return hasLasted ? excess : null;
  }

  return {
    async noteHello(connections) {
      const at = now().getTime();
      countedAt = at;
      const replicas = await announceAndCount();
      if (replicas === null) return;
      const ours = socketsEach * replicas;
      const firstCountedAt = excess?.firstCountedAt ?? at;
      excess = connections > ours ? { firstCountedAt, lastCountedAt: at, connections, ours } : null;
      const isLasting = lasting() !== null;
      logger[isLasting ? 'warn' : 'debug']({ connections, ours }, 'Slack counted the connections of its app');
    },
    suspect() {
      if (now().getTime() - countedAt >= MINUTE_MS) recount();
    },
    async run() {
      await announceAndCount();
      // One that is new is counted at each run, until it has lasted or ended.
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
