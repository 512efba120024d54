import type { Sharing } from '../../../lib/workspace.ts';
import { actions, button, type MessageContent, message, section } from '../blocks.ts';
import { type Markup, mrkdwn } from '../text.ts';

export const SHARED_WORDS: { readonly [Shared in Exclude<Sharing, 'none'>]: Markup } = {
  shared: mrkdwn`This channel is shared with another organization: its people can read what Notif posts here.`,
  pending: mrkdwn`Another organization was invited to this channel. When it accepts, its people can read what Notif posts here.`,
  unknown: mrkdwn`Notif can't see whether people of other organizations are in this conversation: it isn't in it, or Slack didn't say.`,
};

export function shareQuestion(
  sharing: Exclude<Sharing, 'none'>,
  anyway: { readonly actionId: string; readonly value: string },
): MessageContent {
  const what = SHARED_WORDS[sharing];
  return message(mrkdwn`${what} Share it anyway?`, [
    section(mrkdwn`🤝 *${what}*\nShare it anyway?`),
    ...actions([button('Share anyway', anyway.actionId, anyway.value)]),
  ]);
}

export const SHARED = message(mrkdwn`Shared.`, [section(mrkdwn`✅ Shared.`)]);
