import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, TEAM } from '../seed.ts';
import type { Modal } from '../state/modals.ts';

/** A view as Slack shows it to apps, in answers of views.* and in payloads. `values` is the state that the person typed. */
export function viewObject(modal: Modal, values: Json = {}): Json {
  const { view } = modal;
  return {
    id: modal.id,
    team_id: TEAM.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values },
    hash: modal.hash,
    title: view.title,
    close: view.close ?? null,
    submit: view.submit ?? null,
    clear_on_close: view.clear_on_close ?? false,
    notify_on_close: view.notify_on_close ?? false,
    previous_view_id: modal.previousId,
    root_view_id: modal.rootId,
    app_id: APP_ID,
    external_id: view.external_id ?? '',
    app_installed_team_id: TEAM.id,
    bot_id: BOT.botId,
  };
}
