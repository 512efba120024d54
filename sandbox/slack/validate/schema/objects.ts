import { boolean, type Fields, list, maybeEmpty, object, oneOf, onlyOneOf, ref, someOf, text, word } from './shape.ts';
import { anyText, plainText } from './text.ts';

/** The small objects in blocks and elements (Slack's 'composition objects'). */

const MOST_OPTIONS = 100;

/** `@slack/types` still says 75 for the value; Slack's pages and the Python SDK say 150. */
const optionValue = text(150);

const option = object({ text: plainText(75), value: optionValue }, { description: plainText(75) });

export const options = list(ref('option'), { minItems: 1, maxItems: MOST_OPTIONS });
export const optionGroups = list(ref('option_group'), { minItems: 1, maxItems: MOST_OPTIONS });

export const objects: Fields = {
  confirm: object(
    { text: anyText(300) },
    { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: oneOf('primary', 'danger') },
  ),
  option,
  choice_option: object({ text: anyText(75), value: optionValue }, { description: anyText(75) }),
  overflow_option: object(
    { text: plainText(75), value: optionValue },
    { description: plainText(75), url: maybeEmpty(3_000) },
  ),
  option_group: object({ label: plainText(75), options: list(ref('option'), { maxItems: MOST_OPTIONS }) }),
  slack_file: object({}, { id: word, url: text(3_000) }, onlyOneOf('id', 'url')),
  dispatch_action_config: object(
    {},
    {
      trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), { minItems: 1, maxItems: 2 }),
    },
  ),
  conversation_filter: object(
    {},
    {
      include: list(oneOf('im', 'mpim', 'private', 'public'), { minItems: 1 }),
      exclude_external_shared_channels: boolean,
      exclude_bot_users: boolean,
    },
    someOf('include', 'exclude_external_shared_channels', 'exclude_bot_users'),
  ),
  /** A bot's possible answer when a person types in an external select. */
  suggestions: object(
    {},
    {
      options: list(ref('option'), { maxItems: MOST_OPTIONS }),
      option_groups: list(ref('option_group'), { maxItems: MOST_OPTIONS }),
    },
    someOf('options', 'option_groups'),
  ),
};
