import type { Ctx } from '../store/db.ts';
import { type MentionCtx, peopleMentioned } from '../watches/mentioned.ts';
import type { Mention, WatchFilter } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';

/** Whom watches mention, and who that is now. */
export interface OnCall {
  mention: Mention;
  /** Null: Slack doesn't say. */
  members: readonly string[] | null;
}

/**
 * Returns whom the watches mention whose filter `covers` takes: each mention once, and no person whom a mentioned group has.
 * Returns nobody while the database can't be asked, which the status says beside it.
 */
export async function onCallNow(
  ctx: MentionCtx & Pick<Ctx, 'db'>,
  covers: (filter: WatchFilter) => boolean,
): Promise<readonly OnCall[]> {
  const all = await watchesIn(ctx.db).catch((err: unknown) => {
    ctx.logger.warn({ err }, "Watches couldn't be read to say who is on call");
    return [];
  });
  const watches = all.filter(({ settings }) => covers(settings.filter));
  const mentions = new Map(
    watches.flatMap(({ settings: { mention } }) => (mention === null ? [] : [[mention.id, mention]])),
  );
  const onCall = await Promise.all(
    [...mentions.values()].map(async (mention) => ({ mention, members: await peopleMentioned(ctx, mention) })),
  );
  const inGroups = onCall.flatMap(({ mention, members }) => (mention.kind === 'person' ? [] : (members ?? [])));
  return onCall.filter(({ mention }) => mention.kind !== 'person' || !inGroups.includes(mention.id));
}
