import { type } from './composition.ts';
import { boolean, byType, type Fields, integer, list, number, object, oneOf, type Rule, string } from './rules.ts';

/** Slack publishes no limits for rich text beside the indent of lists; these only keep it from being endless. */
const MANY = 10_000;
const word = string({ min: 1, max: MANY });
const style: Fields = {
  style: object({}, { bold: boolean, italic: boolean, strike: boolean, code: boolean, underline: boolean }),
};
const border: Fields = { border: oneOf(0, 1) };

const leaf: Fields = {
  text: object({ ...type('text'), text: word }, style),
  link: object(
    { ...type('link'), url: string({ min: 1, max: 3_000 }) },
    { ...style, text: string({ max: MANY }), unsafe: boolean },
  ),
  emoji: object({ ...type('emoji'), name: word }, { ...style, unicode: word, url: word }),
  date: object(
    { ...type('date'), timestamp: number, format: word },
    { ...style, url: word, fallback: string({ max: MANY }) },
  ),
  user: object({ ...type('user'), user_id: word }, style),
  usergroup: object({ ...type('usergroup'), usergroup_id: word }, style),
  channel: object({ ...type('channel'), channel_id: word }, style),
  team: object({ ...type('team'), team_id: word }, style),
  broadcast: object({ ...type('broadcast'), range: oneOf('here', 'channel', 'everyone') }, style),
  color: object({ ...type('color'), value: word }, style),
};

const leaves: Fields = { elements: list({ max: MANY }, byType(leaf)) };
const section = object({ ...type('rich_text_section'), ...leaves });

const part: Rule = byType({
  rich_text_section: section,
  rich_text_list: object(
    { ...type('rich_text_list'), style: oneOf('bullet', 'ordered'), elements: list({ max: MANY }, section) },
    { ...border, indent: integer(0, 8), offset: integer(0, MANY) },
  ),
  rich_text_quote: object({ ...type('rich_text_quote'), ...leaves }, border),
  rich_text_preformatted: object(
    {
      ...type('rich_text_preformatted'),
      elements: list({ max: MANY }, byType({ text: leaf.text ?? section, link: leaf.link ?? section })),
    },
    { ...border, language: word },
  ),
});

/** A rich_text block, which may also stand in a table's cell. */
export const richText: Rule = object(
  { ...type('rich_text'), elements: list({ max: MANY }, part) },
  { block_id: string({ max: 255 }) },
);
