import type { RichTextElement } from '@slack/types';
import { unescaped } from '../../lib/input/slack-text.ts';
import { channelLink, type Markup, mention, mrkdwn, person, token } from './text.ts';

/** '<@U0ANN>', '<!subteam^S0ONCALL>', '<#C0ONCALL>', '<!date^1772625600^{time}|12:00>' */
const TOKEN =
  /^<(?:@(?<user>\w+)|!subteam\^(?<group>\w+)|#(?<channel>\w+)|!date\^(?<seconds>\d+)\^(?<format>[^|]*)\|(?<fallback>[^>]*))>$/;
const LINK = /^<(https:[^|>]+)\|([^>]*)>$/;

/** Slack's rich text for what stands where it accepts no mrkdwn. Loses bold and code. */
export function richTextOf(markup: Markup): RichTextElement[] {
  return piecesOf(markup).map(elementOf);
}

export function shownText(markup: Markup): string {
  const pieces = piecesOf(markup).map((piece) =>
    piece.replace(LINK, (_, url: string, label: string) => `${label}: ${url}`),
  );
  return pieces.map(elementOf).map(textOf).join('');
}

const piecesOf = (markup: Markup) => `${markup}`.split(/(<[^<>]*>)/).filter((piece) => piece !== '');

function elementOf(piece: string): RichTextElement {
  const { user, group, channel, seconds, format = '', fallback = '' } = TOKEN.exec(piece)?.groups ?? {};
  if (user !== undefined) return { type: 'user', user_id: user };
  if (group !== undefined) return { type: 'usergroup', usergroup_id: group };
  if (channel !== undefined) return { type: 'channel', channel_id: channel };
  if (seconds !== undefined) return { type: 'date', timestamp: Number(seconds), format, fallback };
  return { type: 'text', text: literal(piece) };
}

/** The text of mrkdwn without tokens. */
export const literal = (text: string): string => unescaped(text.replace(/[*`]/g, ''));

/** A date becomes its fallback, in UTC, unless there is room for a token with the reader's time zone. */
export function markupOf(element: RichTextElement, hasTimeZones: boolean): Markup {
  if (element.type === 'user') return person(element.user_id);
  if (element.type === 'usergroup') return mention({ kind: 'user-group', id: element.usergroup_id });
  if (element.type === 'channel') return channelLink(element.channel_id);
  if (element.type === 'date' && hasTimeZones)
    return token(`<!date^${element.timestamp}^${element.format}|${element.fallback ?? ''}>`);
  return mrkdwn`${textOf(element)}`;
}

export function textOf(element: RichTextElement): string {
  if ('text' in element) return element.text ?? '';
  if ('fallback' in element) return element.fallback ?? '';
  if ('usergroup_id' in element) return `@${element.usergroup_id}`;
  if ('user_id' in element) return `@${element.user_id}`;
  return 'channel_id' in element ? `#${element.channel_id}` : '';
}
