import { storableText, stored } from '../../lib/text/shown-id.ts';
import { Home } from '../../lib/workspace.ts';
import type { Db } from '../../store/db.ts';
import { getValue, putValue } from '../../store/kv.ts';
import { SlackRefusedError } from '../slack-errors.ts';

/** The key of the stored workspace. */
const HOME = 'workspace';

/** Refuses another workspace, whose answers would end the stored watches. */
export async function claimHome(db: Db, home: Home, isMoved: boolean): Promise<void> {
  const known = await getValue(db, HOME, Home);
  if (known === null || known.id === home.id || isMoved)
    return putValue(db, HOME, { Value: Home, value: stored({ id: home.id, name: storableText(home.name) }) });
  const before = described(known);
  const other = described(home);
  const problem = `SLACK_BOT_TOKEN is of the workspace ${other}, and what is stored is of ${before}`;
  const next = `set a token of ${before}; or name an empty NOTIF_DATA_DIR or DATABASE_URL for ${other}; or, if Slack moved the workspace with its channels and people, start with NOTIF_TEAM_CHANGE=accept`;
  throw new SlackRefusedError(problem, { code: 'other_workspace', next });
}

const described = ({ id, name }: Home): string => (name === '' ? id : `${name} (${id})`);
