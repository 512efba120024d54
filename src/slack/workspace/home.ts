import { z } from 'zod';
import type { Db } from '../../store/db.ts';
import { getValue, putValue } from '../../store/kv.ts';
import { SlackRefusedError } from '../slack-errors.ts';

const HOME = 'workspace';
const Home = z.object({ id: z.string(), name: z.string() });

/** Channels, people and messages that are stored are of one workspace: another one's refusals would end its watches. */
export async function claimHome(db: Db, found: z.output<typeof Home>, isMoved: boolean): Promise<void> {
  const known = await getValue(db, HOME, Home);
  if (known === null || known.id === found.id || isMoved) return putValue(db, HOME, found);
  const said = `SLACK_BOT_TOKEN is of the workspace ${nameOf(found)}, and what is stored is of ${nameOf(known)}`;
  const next = `set a token of ${nameOf(known)}; or name an empty NOTIF_DATA_DIR or DATABASE_URL for ${nameOf(found)}; or, if Slack moved the workspace with its channels and people, start with NOTIF_TEAM_CHANGE=accept`;
  throw new SlackRefusedError(said, { code: 'other_workspace', next });
}

function nameOf({ id, name }: z.output<typeof Home>): string {
  return name === '' ? id : `${name} (${id})`;
}
