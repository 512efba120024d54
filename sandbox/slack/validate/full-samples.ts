import type {
  CardBlock,
  InputBlockElement,
  KnownBlock,
  ModalView,
  PlainTextInput,
  RichTextBlock,
  RichTextElement,
  RichTextLink,
  RichTextSection,
  RichTextText,
  TaskCardBlock,
} from '@slack/types';

/** Blocks, elements and a view with every field of Slack's own types, which the compiler ensures. */

const plain = (text: string) => ({ type: 'plain_text', text, emoji: true }) as const;
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true }) as const;
const image = { type: 'image', image_url: 'https://a.example/a.png', alt_text: 'a' } as const;
const confirm = {
  title: plain('Sure?'),
  text: mrkdwn('*x*'),
  confirm: plain('Yes'),
  deny: plain('No'),
  style: 'danger',
} as const;
const option = { text: plain('One'), value: '1', description: plain('d') };
const shared = { confirm, focus_on_load: false, placeholder: plain('p') };
const entered: Pick<PlainTextInput, 'focus_on_load' | 'placeholder' | 'dispatch_action_config'> = {
  focus_on_load: false,
  placeholder: plain('p'),
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
};

const styled = { style: { bold: true, italic: true, strike: true, code: true, underline: true } };
const plainLeaves: (RichTextText | RichTextLink)[] = [
  { type: 'text', text: 'x', ...styled },
  { type: 'link', url: 'https://a.example', text: 'a', unsafe: true, ...styled },
];
const leaves: RichTextElement[] = [
  ...plainLeaves,
  { type: 'emoji', name: 'wave', unicode: '1f44b', url: 'https://a.example/w.png' },
  { type: 'date', timestamp: 1_720_710_212, format: '{date_num}', url: 'https://a.example', fallback: 'then' },
  { type: 'user', user_id: 'U1', ...styled },
  { type: 'usergroup', usergroup_id: 'S1' },
  { type: 'channel', channel_id: 'C1' },
  { type: 'team', team_id: 'T1' },
  { type: 'broadcast', range: 'here' },
  { type: 'color', value: '#ff0000' },
];
const paragraph: RichTextSection = { type: 'rich_text_section', elements: leaves };
const richText: RichTextBlock = {
  type: 'rich_text',
  elements: [
    paragraph,
    { type: 'rich_text_list', style: 'ordered', elements: [paragraph], indent: 8, border: 1 },
    { type: 'rich_text_quote', elements: leaves, border: 1 },
    { type: 'rich_text_preformatted', elements: plainLeaves, border: 0 },
  ],
};

const task: TaskCardBlock = {
  ...{ type: 'task_card', task_id: '1', title: 'x', status: 'in_progress' },
  ...{ details: richText, output: richText, sources: [{ type: 'url', url: 'https://a.example', text: 'a' }] },
};
const card: CardBlock = {
  ...{ type: 'card', hero_image: image, icon: image, title: mrkdwn('t'), subtitle: mrkdwn('s'), body: mrkdwn('b') },
  actions: [{ type: 'button', text: plain('Go') }],
};

export const fullMessage: KnownBlock[] = [
  {
    ...{ type: 'section', block_id: 'b', text: mrkdwn('x'), fields: [plain('f'), mrkdwn('g')], expand: true },
    accessory: { type: 'overflow', action_id: 'a', confirm, options: [{ ...option, url: 'https://a.example' }] },
  },
  { type: 'section', text: plain('x'), accessory: { type: 'image', slack_file: { id: 'F1' }, alt_text: 'a' } },
  { type: 'image', ...{ slack_file: { url: 'https://files.example/1' } }, alt_text: 'a', title: plain('t') },
  { type: 'context', elements: [plain('x'), mrkdwn('y'), image] },
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        text: plain('Go'),
        value: '1',
        url: 'https://a.example',
        style: 'primary',
        accessibility_label: 'go',
        confirm,
      },
      {
        ...{ type: 'workflow_button', text: plain('Go'), style: 'danger', accessibility_label: 'go', confirm },
        workflow: { trigger: { url: 'https://a.example', customizable_input_parameters: [{ name: 'n', value: 'v' }] } },
      },
      {
        type: 'static_select',
        ...shared,
        option_groups: [{ label: plain('G'), options: [option] }],
        initial_option: option,
      },
      { type: 'multi_static_select', ...shared, options: [option], initial_options: [option], max_selected_items: 2 },
      { type: 'external_select', ...shared, initial_option: option, min_query_length: 0 },
      {
        type: 'multi_external_select',
        ...shared,
        initial_options: [option],
        min_query_length: 3,
        max_selected_items: 2,
      },
      { type: 'users_select', ...shared, initial_user: 'U1' },
      { type: 'multi_users_select', ...shared, initial_users: ['U1'], max_selected_items: 2 },
      { type: 'channels_select', ...shared, initial_channel: 'C1', response_url_enabled: false },
      { type: 'multi_channels_select', ...shared, initial_channels: ['C1'], max_selected_items: 2 },
      {
        ...{ type: 'conversations_select', ...shared, initial_conversation: 'C1', response_url_enabled: false },
        ...{
          default_to_current_conversation: true,
          filter: { include: ['public', 'im'], exclude_bot_users: true, exclude_external_shared_channels: true },
        },
      },
      {
        ...{ type: 'multi_conversations_select', ...shared, initial_conversations: ['C1'], max_selected_items: 2 },
        ...{ default_to_current_conversation: true, filter: { exclude_bot_users: false } },
      },
      {
        type: 'checkboxes',
        options: [{ ...option, text: mrkdwn('*x*') }],
        initial_options: [{ ...option, text: mrkdwn('*x*') }],
        confirm,
      },
      { type: 'radio_buttons', options: [option], initial_option: option, confirm, focus_on_load: true },
      { type: 'datepicker', ...shared, initial_date: '2026-11-20' },
      { type: 'timepicker', ...shared, initial_time: '09:30', timezone: 'Europe/Berlin' },
      { type: 'datetimepicker', confirm, focus_on_load: false, initial_date_time: 1_720_710_212 },
    ],
  },
  richText,
  {
    ...{
      type: 'video',
      title: plain('t'),
      alt_text: 'a',
      video_url: 'https://v.example/1',
      thumbnail_url: 'https://v.example/1.png',
    },
    ...{
      title_url: 'https://v.example',
      author_name: 'a',
      provider_name: 'p',
      provider_icon_url: 'https://v.example/i.png',
    },
    description: plain('d'),
  },
  {
    type: 'table',
    rows: [[richText, { type: 'raw_text', text: 'x' }, { type: 'raw_number', value: 1.5, text: '1.5' }]],
    column_settings: [{ align: 'right', is_wrapped: true }, {}],
  },
  card,
  { type: 'carousel', elements: [card] },
  {
    ...{
      type: 'container',
      title: plain('t'),
      rich_text_title: richText,
      subtitle: mrkdwn('s'),
      icon: image,
      width: 'wide',
    },
    ...{ is_collapsible: true, default_collapsed: true, has_header_divider: true, child_blocks: [{ type: 'divider' }] },
  },
  {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        positive_button: { text: plain('Good'), value: '1', accessibility_label: 'good' },
        negative_button: { text: plain('Bad'), value: '0', accessibility_label: 'bad' },
      },
      { type: 'icon_button', icon: 'trash', text: plain('Remove'), value: '1', confirm, visible_to_user_ids: ['U1'] },
    ],
  },
  { type: 'markdown', text: '**x**' },
  task,
  { type: 'plan', title: 'x', tasks: [task, { task_id: '2', title: 'y', status: 'pending' }] },
];

const input = (element: InputBlockElement): KnownBlock => ({
  ...{
    type: 'input',
    block_id: element.type,
    label: plain('L'),
    hint: plain('h'),
    optional: true,
    dispatch_action: false,
  },
  element,
});

export const fullModal: ModalView = {
  ...{ type: 'modal', title: plain('T'), submit: plain('Go'), close: plain('No'), clear_on_close: true },
  ...{ notify_on_close: true, private_metadata: '{}', callback_id: 'c', external_id: 'e' },
  blocks: [
    { type: 'alert', text: mrkdwn('x'), level: 'warning' },
    input({ type: 'plain_text_input', ...entered, initial_value: 'x', multiline: true, min_length: 1, max_length: 9 }),
    input({ type: 'email_text_input', ...entered, initial_value: 'a@a.example' }),
    input({ type: 'url_text_input', ...entered, initial_value: 'https://a.example' }),
    input({
      type: 'number_input',
      ...entered,
      is_decimal_allowed: true,
      initial_value: '1',
      min_value: '-1',
      max_value: '2.5',
    }),
    input({ type: 'rich_text_input', ...entered, initial_value: richText, min_lines: 1, max_lines: 100 }),
    input({ type: 'file_input', filetypes: ['csv'], max_files: 2 }),
    input({ type: 'channels_select', ...shared, response_url_enabled: true }),
  ],
};

/** Blocks of which a message can have only a few are in a message of their own. */
export const fullDataTable: KnownBlock = {
  ...{ type: 'data_table', caption: 'c', page_size: 5, row_header_column_index: 1 },
  rows: [
    [
      { type: 'raw_text', text: 'a' },
      { type: 'raw_text', text: 'b' },
    ],
    [richText, { type: 'raw_number', value: 1, text: '1' }],
  ],
};
export const fullChart = {
  ...{ type: 'data_visualization', title: 't' },
  chart: {
    type: 'area',
    series: [{ name: 's', data: [{ label: 'a', value: -1 }] }],
    axis_config: { categories: ['a'], x_label: 'x', y_label: 'y' },
  },
};
