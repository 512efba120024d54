import { z } from 'zod';
import type { Db } from '../../store/db.ts';
import { getValue, putValue } from '../../store/kv.ts';
import { SlackRefusedError } from '../slack-errors.ts';

const HOME = 'workspace';
const Home = z.object({ id: z.string(), name: z.string() });

/** Refuses a workspace other than the stored one: its answers would end the watches. */
export async function claimHome(db: Db, home: z.output<typeof Home>, isMoved: boolean): Promise<void> {
  const stored = await getValue(db, HOME, Home);
  if (stored === null || stored.id === home.id || isMoved) return putValue(db, HOME, home);
  const said = `SLACK_BOT_TOKEN is of the workspace ${nameOf(home)}, and what is stored is of ${nameOf(stored)}`;
  const next = `set a token of ${nameOf(stored)}; or name an empty NOTIF_DATA_DIR or DATABASE_URL for ${nameOf(home)}; or, if Slack moved the workspace with its channels and people, start with NOTIF_TEAM_CHANGE=accept`;
  throw new SlackRefusedError(said, { code: 'other_workspace', next });
}

function nameOf({ id, name }: z.output<typeof Home>): string {
  return name === '' ? id : `${name} (${id})`;
}
