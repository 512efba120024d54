import { Arguments } from '../arguments.ts';
import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { linksIn } from '../unfurl-links.ts';
import { acceptContent } from '../validate/message.ts';
import { isHiddenFromBot, publicMessage } from './known-channel.ts';

const WORDS_FOR_MISSING = [
  ['channel', 'missing_channel'],
  ['ts', 'missing_ts'],
  ['unfurls', 'missing_unfurls'],
] as const;

/** chat.unfurl: shows what is behind links of a message, under it. Repeated calls replace it. Only by `channel` and `ts`. */
export function unfurl(args: Arguments, slack: SlackState): Json {
  for (const [name, word] of WORDS_FOR_MISSING) if (!args.has(name)) throw new Refusal(word);
  const message = shownMessage(args, slack);
  const unfurls = args.structure('unfurls');
  if (!isJson(unfurls)) throw new Refusal('cannot_parse_attachment');
  const urls = Object.keys(unfurls);
  refuseForeign(urls, message, slack);
  const given = Object.entries(unfurls).map(([url, attachment]) => acceptAttachment(url, attachment, slack));
  const kept = message.attachments.filter((each) => !urls.includes(String(each.app_unfurl_url)));
  slack.messages.edit(message, { attachments: [...kept, ...given] });
  return {};
}

function shownMessage(args: Arguments, slack: SlackState): Message {
  const channel = slack.conversations.byId(args.required('channel'));
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('cannot_find_channel');
  return publicMessage(channel, args.required('ts'), slack, 'cannot_find_message');
}

/** Refuses links that aren't in the message or aren't of the app's domains. */
function refuseForeign(urls: readonly string[], { text }: Message, { manifest }: SlackState): void {
  if (urls.some((url) => !text.includes(url))) throw new Refusal('cannot_unfurl_message');
  const own = linksIn(text, manifest.features.unfurl_domains).map(({ url }) => url);
  if (urls.some((url) => !own.includes(url))) throw new Refusal('cannot_unfurl_url');
}

function acceptAttachment(url: string, attachment: unknown, slack: SlackState): Json {
  try {
    const [accepted] = acceptContent(new Arguments({ attachments: [attachment] }), slack.blockKit).attachments;
    return { ...accepted, app_unfurl_url: url, is_app_unfurl: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('cannot_parse_attachment', error.details);
  }
}
