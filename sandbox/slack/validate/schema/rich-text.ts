import {
  boolean,
  byType,
  type Fields,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Types,
  text,
  typed,
  word,
} from './shape.ts';

/** Slack publishes no limits for rich text except for the indent of lists. Empty arrays are accepted. */

/** Slack's pages disagree about which leaf allows which flag; these are all of them. */
const flags: Fields = {
  bold: boolean,
  italic: boolean,
  strike: boolean,
  underline: boolean,
  code: boolean,
  highlight: boolean,
  client_highlight: boolean,
  unlink: boolean,
};
const style: Fields = { style: ref('rich_text_style') };
const border: Fields = { border: oneOf(0, 1) };
const anyString = { type: 'string' };

const leaves: Fields = {
  text_leaf: typed('text', { text: word }, style),
  link_leaf: typed('link', { url: text(3_000) }, { ...style, text: anyString, unsafe: boolean }),
  emoji_leaf: typed('emoji', { name: word }, { ...style, unicode: word, url: word, skin_tone: integer(1, 6) }),
  date_leaf: typed('date', { timestamp: integer(0), format: word }, { ...style, url: word, fallback: anyString }),
  user_leaf: typed('user', { user_id: word }, style),
  usergroup_leaf: typed('usergroup', { usergroup_id: word }, style),
  channel_leaf: typed('channel', { channel_id: word }, style),
  team_leaf: typed('team', { team_id: word }, style),
  broadcast_leaf: typed('broadcast', { range: oneOf('here', 'channel', 'everyone') }, style),
  color_leaf: typed('color', { value: word }, style),
};

const plainLeaves: Types = { text: 'text_leaf', link: 'link_leaf' };
const anyLeaf: Types = {
  ...plainLeaves,
  emoji: 'emoji_leaf',
  date: 'date_leaf',
  user: 'user_leaf',
  usergroup: 'usergroup_leaf',
  channel: 'channel_leaf',
  team: 'team_leaf',
  broadcast: 'broadcast_leaf',
  color: 'color_leaf',
};

const inline: Fields = { elements: list(byType(anyLeaf)) };
const parts = named('rich_text_section', 'rich_text_list', 'rich_text_quote', 'rich_text_preformatted');

export const richText: Fields = {
  ...leaves,
  rich_text_style: object({}, flags),
  rich_text: typed('rich_text', { elements: list(byType(parts)) }, { block_id: text(255) }),
  rich_text_section: typed('rich_text_section', inline),
  rich_text_list: typed(
    'rich_text_list',
    { style: oneOf('bullet', 'ordered'), elements: list(byType(named('rich_text_section'))) },
    { ...border, indent: integer(0, 8), offset: integer(0) },
  ),
  rich_text_quote: typed('rich_text_quote', inline, border),
  rich_text_preformatted: typed(
    'rich_text_preformatted',
    { elements: list(byType(plainLeaves)) },
    { ...border, language: word },
  ),
};
