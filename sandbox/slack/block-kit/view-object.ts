import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, TEAM } from '../seed.ts';
import type { View } from '../state/view.ts';
import { echoed } from './echo.ts';

/** What Slack shows as the title of a Home tab, which has none. */
const NO_TITLE = { type: 'plain_text', text: 'View Title', emoji: true };

/** Returns a view as Slack shows it to apps, in answers of views.* and in payloads. `values` is the state with the person's input. */
export function viewObject(shown: View, values: Json = {}): Json {
  const view = echoed(shown.view);
  return {
    id: shown.id,
    team_id: TEAM.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values: echoed(values) },
    hash: shown.hash,
    title: view.title ?? NO_TITLE,
    close: view.close ?? null,
    submit: view.submit ?? null,
    clear_on_close: false,
    notify_on_close: false,
    previous_view_id: shown.previousId,
    root_view_id: shown.rootId,
    app_id: APP_ID,
    external_id: '',
    app_installed_team_id: TEAM.id,
    bot_id: BOT.botId,
  };
}
