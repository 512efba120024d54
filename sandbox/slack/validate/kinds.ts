import { isDeepStrictEqual } from 'node:util';
import { optionsOf } from '../block-kit/controls.ts';
import { objectIn, objectsIn } from '../json.ts';
import {
  boolean,
  byType,
  type Check,
  integer,
  kind,
  list,
  matching,
  number,
  object,
  oneOf,
  onlyOneOf,
  problem,
  type Rule,
  text,
} from './check.ts';

/**
 * The parts of Block Kit that Notif builds, with Slack's limits. What isn't here is refused. Where Slack's pages and others disagree, the
 * stricter number is used: what passes here also passes there.
 */

const MOST_OPTIONS = 100;
const MOST_POINTS = 20;

const plainText = (most: number) => byType({ plain_text: kind({ text: text(most) }, { emoji: boolean }) });
const anyText = (most: number) =>
  byType({
    plain_text: kind({ text: text(most) }, { emoji: boolean }),
    mrkdwn: kind({ text: text(most) }, { verbatim: boolean }),
  });

/** `@slack/types` still says 75 for the value; Slack's pages and the Python SDK say 150. */
const optionOf = (words: Check) => object({ text: words, value: text(150) }, { description: words });
const option = optionOf(plainText(75));
const choice = optionOf(anyText(75));
const options = list(option, { least: 1, most: MOST_OPTIONS });
const choices = list(choice, { least: 1, most: 10 });
const optionGroup = object({ label: plainText(75), options: list(option, { most: MOST_OPTIONS }) });

const confirm = object(
  { text: anyText(300) },
  { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: oneOf('primary', 'danger') },
);

/** `initial_option` and `initial_options` are equal, field by field, to existing options. */
const initialAmongOptions: Rule = (element, at) =>
  [element.initial_option, element.initial_options]
    .flat()
    .filter((each) => each !== undefined && !optionsOf(element).some((one) => isDeepStrictEqual(one, each)))
    .flatMap(() => problem(at, 'initial option must match one of the options'));

const pressed = { action_id: text(255), confirm };
const asked = { ...pressed, focus_on_load: boolean, placeholder: plainText(150) };
const listed = {
  ...asked,
  options,
  option_groups: list(optionGroup, { least: 1, most: MOST_OPTIONS }),
};
const several = { initial_options: list(option, { least: 1, most: MOST_OPTIONS }), max_selected_items: integer(1) };
const searched = { ...asked, min_query_length: integer(0) };
const oneList = onlyOneOf('options', 'option_groups');

const buttons = {
  button: kind(
    { text: plainText(75) },
    {
      ...pressed,
      accessibility_label: text(75, 0),
      style: oneOf('primary', 'danger'),
      value: text(2_000, 0),
      url: text(3_000, 0),
    },
  ),
  overflow: kind({ options: list(option, { least: 1, most: 5 }) }, pressed),
};

const picked = {
  static_select: kind({}, { ...listed, initial_option: option }, oneList, initialAmongOptions),
  multi_static_select: kind({}, { ...listed, ...several }, oneList, initialAmongOptions),
  external_select: kind({}, { ...searched, initial_option: option }),
  multi_external_select: kind({}, { ...searched, ...several }),
  users_select: kind({}, { ...asked, initial_user: text() }),
  checkboxes: kind({ options: choices }, { ...asked, initial_options: choices }, initialAmongOptions),
  radio_buttons: kind({ options: choices }, { ...asked, initial_option: choice }, initialAmongOptions),
  timepicker: kind({}, { ...asked, initial_time: matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'time (HH:mm)') }),
};

const plainTextInput = kind(
  {},
  { ...asked, initial_value: text(3_000, 0), multiline: boolean, max_length: integer(1, 3_000) },
);

const leaves = {
  text: kind({ text: text() }, { style: object({}, { bold: boolean, italic: boolean, code: boolean }) }),
  link: kind({ url: text(3_000) }, { text: text() }),
};
const references = {
  user: kind({ user_id: text() }),
  channel: kind({ channel_id: text() }),
  date: kind({ timestamp: integer(0), format: text() }, { fallback: text() }),
};
const richText = kind(
  {
    elements: list(
      byType({
        rich_text_section: kind({ elements: list(byType({ ...leaves, ...references })) }),
        rich_text_preformatted: kind({ elements: list(byType(leaves)) }),
      }),
    ),
  },
  { block_id: text(255) },
);

const identified = { block_id: text(255) };

/** The blocks that messages, modals and Home tabs all accept. */
const basic = {
  section: kind({ text: anyText(3_000) }, { ...identified, accessory: byType({ ...buttons, ...picked }) }),
  header: kind({ text: plainText(150) }, identified),
  context: kind({ elements: list(anyText(3_000), { least: 1, most: 10 }) }, identified),
  divider: kind({}, identified),
  actions: kind({ elements: list(byType({ ...buttons, ...picked }), { least: 1, most: 25 }) }, identified),
  input: kind(
    { label: plainText(2_000), element: byType({ ...picked, plain_text_input: plainTextInput }) },
    { ...identified, hint: plainText(2_000), optional: boolean, dispatch_action: boolean },
  ),
  rich_text: richText,
};

const headings = {
  raw_text: kind({ text: text(3_000) }),
  raw_number: kind({ value: number, text: text(3_000) }),
};
const rowOf = (cells: Readonly<Record<string, Check>>) => list(byType(cells), { least: 1, most: 20 });

/** The header, which has no rich text, and up to 100 rows of its length, as Slack's page says; one SDK allows 201. */
const rows: Check = (value, at) => {
  const [header, ...rest] = Array.isArray(value) ? value : [];
  const isUneven = (row: unknown) => Array.isArray(row) && Array.isArray(header) && row.length !== header.length;
  return [
    ...list(() => [], { least: 2, most: 101 })(value, at),
    ...(header === undefined ? [] : rowOf(headings)(header, `${at}/0`)),
    ...rest.flatMap((row, index) => [
      ...rowOf({ ...headings, rich_text: richText })(row, `${at}/${index + 1}`),
      ...(isUneven(row) ? problem(`${at}/${index + 1}`, 'rows must have equal length') : []),
    ]),
  ];
};

const chartLabel = text(20);
/** Six series, as Slack's page says; twelve have been seen accepted. */
const series = list(
  object({
    name: chartLabel,
    data: list(object({ label: chartLabel, value: number }), { least: 1, most: MOST_POINTS }),
  }),
  { least: 1, most: 6 },
);
const axes = object(
  { categories: list(chartLabel, { least: 1, most: MOST_POINTS }) },
  { x_label: text(50, 0), y_label: text(50, 0) },
);

/** The series have unique names, and each has one point for each category of the axis. */
const matchingSeries: Rule = (chart, at) => {
  const all = objectsIn(chart, 'series');
  const names = all.map(({ name }) => name);
  const { categories } = objectIn(chart, 'axis_config');
  const wanted = Array.isArray(categories) ? categories.toSorted() : [];
  return all.flatMap((each, index) => [
    ...(names.indexOf(each.name) === index
      ? []
      : problem(`${at}/series/${index}/name`, `\`name\` "${each.name}" already exists`)),
    ...(isDeepStrictEqual(
      objectsIn(each, 'data')
        .map(({ label }) => label)
        .toSorted(),
      wanted,
    )
      ? []
      : problem(`${at}/series/${index}/data`, 'must have one data point for each category')),
  ]);
};
const chart = kind({ series, axis_config: axes }, {}, matchingSeries);

/** Slack's page also lists `file`, `image` and `table`. Its validator has been seen to have another list. */
const { section, header, context, divider, actions, input, rich_text } = basic;
const container = kind(
  {
    title: plainText(150),
    child_blocks: list(byType({ section, header, context, divider, actions, input, rich_text }), {
      least: 1,
      most: 10,
    }),
  },
  { ...identified, is_collapsible: boolean, default_collapsed: boolean },
  ({ is_collapsible: isCollapsible, default_collapsed: isCollapsed }, at) =>
    isCollapsed === true && isCollapsible !== true
      ? problem(`${at}/default_collapsed`, 'must define `is_collapsible` to use `default_collapsed`')
      : [],
);

/** Slack's page has no number for the text; the Java SDK has 200. */
const alert = kind(
  { text: anyText(200) },
  { ...identified, level: oneOf('default', 'info', 'warning', 'error', 'success') },
);

export const messageBlocks = list(
  byType({
    ...basic,
    container,
    data_table: kind({ caption: text(), rows }, { ...identified, page_size: integer(1, 100) }),
    data_visualization: kind({ title: text(50), chart: byType({ line: chart, bar: chart, area: chart }) }, identified),
  }),
  { most: 50 },
);

const appFields = { private_metadata: text(3_000, 0), callback_id: text(255, 0) };
const viewTitle = plainText(24);

/** A form has a submit button. */
const submitWithInputs: Rule = (view, at) =>
  view.submit === undefined && objectsIn(view, 'blocks').some(({ type }) => type === 'input')
    ? problem(at, 'must define `submit` to use an `input` block in modals')
    : [];

export const views = {
  modal: kind(
    { title: viewTitle, blocks: list(byType({ ...basic, alert }), { most: 100 }) },
    { ...appFields, submit: viewTitle, close: viewTitle },
    submitWithInputs,
  ),
  home: kind({ blocks: list(byType({ ...basic, container }), { most: 100 }) }, appFields),
};

export const suggestions = object(
  {},
  { options: list(option, { most: MOST_OPTIONS }), option_groups: list(optionGroup, { most: MOST_OPTIONS }) },
  oneList,
);
