import type { Workspace } from '../lib/workspace.ts';
import type { Ctx } from '../store/db.ts';
import type { Mention, WatchFilter } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';

/** Whom watches mention, and who that is now. */
export interface OnCall {
  mention: Mention;
  /** Null: Slack doesn't say. */
  members: readonly string[] | null;
}

/** Of the watches that cover something; each mention once. Nobody while the database can't be asked: what it stands beside says so. */
export async function onCallNow(
  { db, logger, workspace }: Pick<Ctx, 'db' | 'logger'> & { workspace: Pick<Workspace, 'membersOf'> },
  covers: (filter: WatchFilter) => boolean,
): Promise<readonly OnCall[]> {
  const all = await watchesIn(db).catch((err: unknown) => {
    logger.warn({ err }, "Watches couldn't be read to say who is on call");
    return [];
  });
  const watches = all.filter(({ settings }) => covers(settings.filter));
  const mentions = new Map(
    watches.flatMap(({ settings: { mention } }) => (mention === null ? [] : [[mention.id, mention]])),
  );
  return Promise.all(
    [...mentions.values()].map(async (mention): Promise<OnCall> => {
      if (mention.kind === 'person') return { mention, members: [mention.id] };
      const answer = await workspace.membersOf(mention.id).catch((err: unknown) => {
        logger.warn({ err }, "Slack didn't say who is in a user group that a watch mentions");
        return null;
      });
      return { mention, members: answer?.members ?? null };
    }),
  );
}
