import {
  anyText,
  confirm,
  initialAmongOptions,
  optionGroup,
  optionGroupList,
  optionList,
  overflowOption,
  plainOption,
  plainText,
  richOption,
  type,
} from './composition.ts';
import {
  atLeastOne,
  boolean,
  byType,
  exactlyOne,
  type Fields,
  integer,
  list,
  matching,
  object,
  oneOf,
  type Rule,
  string,
} from './rules.ts';

/** What stands inside blocks, by type: Slack's 'block elements' with their limits. */

const MANY = 1_000;
const id = string({ max: 255 });
const url = string({ min: 1, max: 3_000 });
const date = matching(/^\d{4}-\d{2}-\d{2}$/, 'date (YYYY-MM-DD)');
const time = matching(/^\d{2}:\d{2}$/, 'time (HH:mm)');
const ids = list({ max: MANY }, string({ min: 1, max: 255 }));

const actionable: Fields = { action_id: id };
const confirmable: Fields = { ...actionable, confirm };
const focusable: Fields = { focus_on_load: boolean };
const placeholder: Fields = { placeholder: plainText(150) };
const dispatchable: Fields = {
  dispatch_action_config: object(
    {},
    { trigger_actions_on: list({ min: 1, max: 2 }, oneOf('on_enter_pressed', 'on_character_entered')) },
  ),
};

const picker: Fields = { ...confirmable, ...focusable, ...placeholder };
const typed: Fields = { ...actionable, ...focusable, ...placeholder, ...dispatchable };
const many: Fields = { max_selected_items: integer(1, MANY) };
const respondable: Fields = { response_url_enabled: boolean };
const filtered: Fields = {
  default_to_current_conversation: boolean,
  filter: object(
    {},
    {
      include: list({ min: 1, max: 4 }, oneOf('im', 'mpim', 'private', 'public')),
      exclude_external_shared_channels: boolean,
      exclude_bot_users: boolean,
    },
  ),
};
const staticOptions: Fields = { options: optionList, option_groups: optionGroupList };
const choice = exactlyOne('options', 'option_groups');
const queried: Fields = { min_query_length: integer(0, 75) };
const initialOption: Fields = { initial_option: plainOption };
const initialOptions: Fields = { initial_options: list({ min: 1, max: 100 }, plainOption) };

const slackFile = object({}, { id: string({ min: 1, max: 255 }), url }, exactlyOne('id', 'url'));

/** The fields that the image block and the image element share. */
export const imageFields = { alt_text: string({ min: 1, max: 2_000 }) };
export const imageSource: Fields = { image_url: url, slack_file: slackFile };
export const oneImageSource = exactlyOne('image_url', 'slack_file');

const buttons: Fields = {
  button: object(
    { ...type('button'), text: plainText(75) },
    {
      ...confirmable,
      value: string({ max: 2_000 }),
      url: string({ max: 3_000 }),
      style: oneOf('primary', 'danger'),
      accessibility_label: string({ max: 75 }),
    },
  ),
  overflow: object({ ...type('overflow'), options: list({ min: 1, max: 5 }, overflowOption) }, confirmable),
};

const selects: Fields = {
  static_select: object(
    type('static_select'),
    { ...picker, ...staticOptions, ...initialOption },
    choice,
    initialAmongOptions,
  ),
  multi_static_select: object(
    type('multi_static_select'),
    { ...picker, ...many, ...staticOptions, ...initialOptions },
    choice,
    initialAmongOptions,
  ),
  external_select: object(type('external_select'), { ...picker, ...queried, ...initialOption }),
  multi_external_select: object(type('multi_external_select'), { ...picker, ...many, ...queried, ...initialOptions }),
  users_select: object(type('users_select'), { ...picker, initial_user: id }),
  multi_users_select: object(type('multi_users_select'), { ...picker, ...many, initial_users: ids }),
  channels_select: object(type('channels_select'), { ...picker, ...respondable, initial_channel: id }),
  multi_channels_select: object(type('multi_channels_select'), { ...picker, ...many, initial_channels: ids }),
  conversations_select: object(type('conversations_select'), {
    ...picker,
    ...respondable,
    ...filtered,
    initial_conversation: id,
  }),
  multi_conversations_select: object(type('multi_conversations_select'), {
    ...picker,
    ...many,
    ...filtered,
    initial_conversations: ids,
  }),
};

const chosen: Fields = { ...confirmable, ...focusable };
const choices = list({ min: 1, max: 10 }, richOption);

const boxes: Fields = {
  checkboxes: object(
    { ...type('checkboxes'), options: choices },
    { ...chosen, initial_options: choices },
    initialAmongOptions,
  ),
  radio_buttons: object(
    { ...type('radio_buttons'), options: choices },
    { ...chosen, initial_option: richOption },
    initialAmongOptions,
  ),
};

const pickers: Fields = {
  datepicker: object(type('datepicker'), { ...picker, initial_date: date }),
  timepicker: object(type('timepicker'), { ...picker, initial_time: time, timezone: string({ min: 1, max: 255 }) }),
};
const datetimepicker = object(type('datetimepicker'), {
  ...confirmable,
  ...focusable,
  initial_date_time: integer(1_000_000_000, 9_999_999_999),
});

const numeric = matching(/^-?\d+(\.\d+)?$/, 'number');

const typedInputs: Fields = {
  plain_text_input: object(type('plain_text_input'), {
    ...typed,
    initial_value: string({ max: 3_000 }),
    multiline: boolean,
    min_length: integer(0, 3_000),
    max_length: integer(1, 3_000),
  }),
  email_text_input: object(type('email_text_input'), { ...typed, initial_value: string({ max: 3_000 }) }),
  url_text_input: object(type('url_text_input'), { ...typed, initial_value: string({ max: 3_000 }) }),
  number_input: object(
    { ...type('number_input'), is_decimal_allowed: boolean },
    { ...typed, initial_value: numeric, min_value: numeric, max_value: numeric },
  ),
};

const image = object({ ...type('image'), ...imageFields }, imageSource, oneImageSource);

export const sectionAccessory: Rule = byType({ ...buttons, ...selects, ...boxes, ...pickers, image });
export const actionsElement: Rule = byType({ ...buttons, ...selects, ...boxes, ...pickers, datetimepicker });
export const inputElement: Rule = byType({ ...typedInputs, ...selects, ...boxes, ...pickers, datetimepicker });
export const contextElement: Rule = byType({
  image,
  plain_text: anyText(3_000),
  mrkdwn: anyText(3_000),
});

/** What a bot may answer when a person types in an external select: up to 100 options or groups. */
export const suggestions: Rule = object(
  {},
  {
    options: list({ max: 100 }, plainOption),
    option_groups: list({ max: 100 }, optionGroup),
  },
  atLeastOne('options', 'option_groups'),
);
