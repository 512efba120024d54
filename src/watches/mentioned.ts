import type { Workspace } from '../lib/workspace.ts';
import type { Ctx } from '../store/db.ts';
import type { Mention } from './settings.ts';

export interface MentionCtx extends Pick<Ctx, 'logger'> {
  workspace: Pick<Workspace, 'membersOf'>;
}

/** The people whom a mention reaches now; null: Slack doesn't say who is in its user group. */
export async function peopleMentioned(
  { workspace, logger }: MentionCtx,
  { kind, id }: Mention,
): Promise<readonly string[] | null> {
  if (kind === 'person') return [id];
  const answer = await workspace.membersOf(id).catch((err: unknown) => {
    logger.warn({ err }, "Slack didn't say who is in a user group that a watch mentions");
    return null;
  });
  return answer?.members ?? null;
}
