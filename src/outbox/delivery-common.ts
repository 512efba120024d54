import { addMilliseconds } from 'date-fns';
import { isStoreAway } from '../lib/errors.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Channels, Operators, Workspace } from '../lib/workspace.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import type { SentMemory } from './adopt-sent.ts';
import { type Claimed, hurry } from './claims.ts';
import type { Draft, EditOutcome, Kinds, MessageKind, PostOutcome, Publisher } from './kinds.ts';

// What posts and edits have in common.

export interface DeliverCtx<Content> extends Ctx {
  publisher: Publisher<Content>;
  kinds: Kinds<Content>;
  operators: Pick<Operators, 'users' | 'groups'>;
  workspace: Pick<Workspace, 'membersOf'>;
  channels: Pick<Channels, 'ask'>;
  isOurs: OpenDb['isOurs'];
  /** What Slack refuses can be news of its own. */
  wakeAnnouncing: () => Promise<void>;
}

/** What this process remembers from one message to the next. */
export interface Memory extends SentMemory {
  /** When no posts go to a channel: Slack limits them by channel. */
  pausedPosts: Map<string, TimeRange>;
  editsPaused: TimeRange | null;
  /** The edits of the last minute. */
  editedAt: Date[];
  /** Slack refused something for now, and has taken nothing since. */
  isAway: boolean;
}

export function kindOf<Content>({ kinds }: DeliverCtx<Content>, { kind }: Claimed): MessageKind<Content> | null {
  return kinds[kind] ?? null;
}

interface MessageFields {
  messageId: string;
  kind: string;
  attempt: number;
}

export const fieldsOf = ({ id: messageId, kind, attempt }: Claimed): MessageFields => ({ messageId, kind, attempt });

/** The `last_refusal` of what failed for a reason of ours. */
export const FAILED = 'failed unexpectedly';

/** Nothing was sent to Slack: there is nothing to look for. */
export class UndrawnError extends Error {
  override readonly name = 'UndrawnError';

  constructor(cause: unknown) {
    super("a message couldn't be drawn", { cause });
  }
}

/** The message as it would be shown now. Throws an UndrawnError if its kind can't draw it. */
export async function drawn<Content>(
  db: Db,
  kind: MessageKind<Content>,
  message: Claimed,
  at: Date,
): Promise<Draft<Content>> {
  if (!kind.Kept.safeParse(message.content).success) return { is: 'unreadable' };
  try {
    return await kind.draw(db, message, at);
  } catch (cause) {
    if (isStoreAway(cause)) throw cause;
    throw new UndrawnError(cause);
  }
}

/** What Slack doesn't accept as it is drawn, or what can't be drawn, goes as plain text after so many tries. */
const TRIES_UNTIL_PLAIN = 3;

/** Stands before Slack's word for what it didn't accept. */
export const NOT_ACCEPTED = 'not accepted: ';

/** Whether to post it without blocks. However often Slack was away, a message keeps them: only those that fail as they are drawn lose them. */
export function isPlain({ attempt, lastRefusal }: Claimed): boolean {
  const failsAsDrawn = lastRefusal === FAILED || (lastRefusal?.startsWith(NOT_ACCEPTED) ?? false);
  return attempt > TRIES_UNTIL_PLAIN && failsAsDrawn;
}

/** When Slack is back, everything that waits is due at once. */
export async function noteBack<Content>({ db, now }: DeliverCtx<Content>, memory: Memory): Promise<void> {
  if (!memory.isAway) return;
  memory.isAway = false;
  await hurry(db, now());
}

export const pauseFrom = (from: Date, ms: number): TimeRange => ({ from, to: addMilliseconds(from, ms) });

/** A clock that was set back ends a pause. */
export const isWithin = ({ from, to }: TimeRange, at: Date): boolean => from <= at && at < to;

export function log<Content>(
  { logger }: DeliverCtx<Content>,
  message: Claimed,
  { is: outcome, ...facts }: PostOutcome | EditOutcome,
): void {
  // A hash says nothing to who reads the log.
  const { shownHash: _, ...said } = { shownHash: null, ...facts };
  const fields = { ...fieldsOf(message), channel: message.channel, outcome, ...said };
  if (outcome === 'posted') logger.info(fields, 'Message posted');
  if (outcome === 'posted' || outcome === 'edited' || outcome === 'unchanged') return;
  const isToFix = outcome === 'shut-out' || ('fix' in facts && facts.fix !== null);
  logger[isToFix ? 'error' : 'warn'](fields, `Slack's answer to ${message.ts === null ? 'a post' : 'an edit'}`);
}
