import { addMilliseconds, subMilliseconds } from 'date-fns';
import { BY_ITSELF } from '../audit/audit.ts';
import { storableText } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Channels, Operators, Workspace } from '../lib/workspace.ts';
import {
  type ClaimedPost,
  LONGEST_RETRY_MS,
  noteGivenUp,
  noteNotPosted,
  pauseAfter,
  renewClaim,
} from '../outbox/claims.ts';
import type { WatchEnd } from '../outbox/kinds.ts';
import { leavePosted, noteInThreads, notifyEnd } from '../outbox/messages.ts';
import { knownPeople } from '../people/identity.ts';
import type { Ctx } from '../store/db.ts';
import { lockedWithEnded, recordOnWatch, updateWatch } from '../watches/watches.ts';
import type { Content } from './content.ts';
import type { PostOutcome, Publisher } from './publisher.ts';

export interface RefusalCtx extends Ctx {
  publisher: Pick<Publisher, 'tellOwner'>;
  operators: Pick<Operators, 'users' | 'groups'>;
  workspace: Pick<Workspace, 'membersOf'>;
  channels: Pick<Channels, 'ask'>;
}

const TO_ASSIGNEE = ['assigned', 'escalated'];

/** What Slack refuses for good is noticed by its owner, in the incident's threads or by the operators. */
export async function noteUnreached(ctx: RefusalCtx, claimed: ClaimedPost, content: Content, code: string) {
  const { db, publisher, now } = ctx;
  const { owner, recipient, watchId } = claimed;
  const isTold = owner !== null && recipient !== null && (await renewClaim(db, claimed));
  const told = isTold ? await publisher.tellOwner(content, { owner, recipient, code }) : null;
  if (told?.is === 'refused' || told?.is === 'unknown') {
    const limitMs = told.is === 'refused' ? told.retryAfterMs : null;
    return noteNotPosted(db, claimed, code, addMilliseconds(now(), limitMs ?? pauseAfter(claimed.attempt)));
  }
  const operators = content.kind === 'watch-ended' ? await operatorsNow(ctx, recipient) : [];
  return db.transaction(async (tx) => {
    if (!(await noteGivenUp(tx, claimed, code))) return;
    if (content.kind === 'watch-ended') await notifyEnd(tx, watchId, operators, { why: content.why, now: now() });
    if (content.kind !== 'personal' || recipient === null) return;
    if (told?.is === 'posted' && !TO_ASSIGNEE.includes(content.notice.what)) return;
    const event = { what: 'unreached', to: recipient, code: storableText(code), actor: null, at: now() } as const;
    await noteInThreads(tx, [content.incident.id], event);
  });
}

/** Each person once, whatever IDs of theirs are listed. */
async function operatorsNow({ db, workspace, operators }: RefusalCtx, but: string | null = null) {
  const groups = await Promise.all(operators.groups.map((group) => workspace.membersOf(group)));
  const personOf = await knownPeople(db);
  const listed = [...operators.users, ...groups.flatMap(({ members }) => members)];
  const people = new Map(listed.map((id) => [personOf(id), id]));
  people.delete(personOf(but));
  return [...people.values()];
}

async function shutOutFacts(ctx: RefusalCtx, channel: string, why: WatchEnd) {
  try {
    const operators = await operatorsNow(ctx);
    if (why === 'channel-restricted') return { isConfirmed: false, operators };
    const known = await ctx.channels.ask(channel);
    const isConfirmed = known === null || (why === 'channel-archived' ? known.isArchived : !known.isMember);
    return { isConfirmed, operators };
  } catch (err) {
    ctx.logger.warn({ err, channel }, "Slack didn't say more about a channel that refuses messages");
    return { isConfirmed: false, operators: ctx.operators.users };
  }
}

const REFUSED_FOR_MS = 10 * MINUTE_MS;

type ShutOut = Extract<PostOutcome, { is: 'shut-out' }>;

/** A person's watch ends if Slack confirms `why`, or refuses for ten minutes. */
export async function noteShutOut(ctx: RefusalCtx, claimed: ClaimedPost, { why, reason }: ShutOut): Promise<void> {
  const { isConfirmed, operators } = await shutOutFacts(ctx, claimed.channel, why);
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const watch = claimed.watchId === null ? null : await lockedWithEnded(tx, claimed.watchId);
    const notify = (people: readonly string[]) => notifyEnd(tx, claimed.watchId, people, { why, now });
    if (watch === null) return void (await noteGivenUp(tx, claimed, reason));
    const { createdBy, refusedAt } = watch;
    const since = refusedAt ?? now;
    if (createdBy === null || !(isConfirmed || since <= subMilliseconds(now, REFUSED_FOR_MS))) {
      await noteNotPosted(tx, claimed, why, addMilliseconds(now, LONGEST_RETRY_MS));
      await updateWatch(tx, watch.id, { refusedAt: since });
      if (createdBy === null) await notify(operators);
      return;
    }
    await noteGivenUp(tx, claimed, reason);
    await leavePosted(tx, watch.id, { isFrozen: true });
    if (watch.endedAt !== null) return;
    await updateWatch(tx, watch.id, { endedAt: now });
    await recordOnWatch(tx, watch, { actor: BY_ITSELF, now }, { action: 'watch-lost', why });
    await notify([createdBy]);
  });
}
