import { viewObject } from '../block-kit/view-object.ts';
import type { Tab } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';

/** Opens a tab of the conversation with the bot for a person. The event has the Home tab's contents, once the bot has published some. */
export async function openTab(person: SeedPerson, tab: Tab, slack: SlackState): Promise<Interaction> {
  const { home_tab_enabled: hasHome } = slack.manifest.features.app_home;
  if (tab === 'home' && !hasHome) return failed('not_enabled', 'This app has no Home tab.');
  const channel = slack.conversations.find(person.id)?.id;
  const home = slack.homes.of(person.id);
  await slack.events.tell({
    ...{ type: 'app_home_opened', user: person.id, channel, tab, event_ts: slack.nextTs() },
    ...(tab === 'home' && home !== undefined ? { view: viewObject(home) } : {}),
  });
  return { ok: true, ackMs: 0 };
}
