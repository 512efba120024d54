import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { optionsOf } from '../block-kit/controls.ts';

/** The part of Block Kit that Notif builds, with Slack's limits; the rest is refused. Where sources disagree, the stricter limit counts. */

type Fields = Readonly<Record<string, z.ZodType>>;

/** A string of `least` to `most` code points; Slack doesn't say what it counts. */
const text = (most = Number.POSITIVE_INFINITY, least = 1) =>
  z
    .string('must provide a string')
    .refine((words) => [...words].length >= least, `must be more than ${least - 1} characters`)
    .refine((words) => [...words].length <= most, `must be less than ${most + 1} characters`);

const list = (item: z.ZodType, { least = 0, most = Number.POSITIVE_INFINITY } = {}) =>
  z
    .array(item, 'must provide an array')
    .min(least, `no fewer than ${least} items allowed`)
    .max(most, `no more than ${most} items allowed`);

const integer = (least: number, most = Number.POSITIVE_INFINITY) =>
  z.int('must provide an integer').min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);

const oneOf = (...values: readonly string[]) => z.enum(values, 'must be a valid enum value');

/** Slack's words for what isn't an object. Other issues keep zod's. */
const WORDS = new Map([['invalid_type', 'must provide an object']]);
const object = (required: Fields, optional: Fields = {}) =>
  z.strictObject({ ...required, ...z.object(optional).partial().shape }, { error: ({ code }) => WORDS.get(code) });

const kind = (required: Fields, optional: Fields = {}) => object({ type: z.string(), ...required }, optional);

/** Validates an object by the schema of its `type`. */
export function byType(kinds: Fields): z.ZodType {
  return z.looseObject({ type: z.string() }, 'must provide an object').superRefine((value, context) => {
    const schema = Object.hasOwn(kinds, value.type) ? kinds[value.type] : undefined;
    if (schema === undefined)
      context.addIssue({ code: 'custom', path: ['type'], message: `unsupported type: ${value.type}` });
    for (const issue of schema?.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
  });
}

const flag = z.boolean('must provide a boolean');
const number = z.number('must provide a number');
const id = text(255);

const plain = (most: number) => kind({ text: text(most) }, { emoji: flag });
const plainText = (most: number) => byType({ plain_text: plain(most) });
const anyText = (most: number) =>
  byType({ plain_text: plain(most), mrkdwn: kind({ text: text(most) }, { verbatim: flag }) });

/** `@slack/types` still says 75 for the value; Slack's pages and the Python SDK say 150. */
const option = object({ text: plainText(75), value: text(150) });
const hundred = { least: 1, most: 100 };
const options = list(option, hundred);
const choices = list(option, { least: 1, most: 10 });
const optionGroups = list(object({ label: plainText(75), options }), hundred);

const confirm = object(
  { text: anyText(300) },
  { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: oneOf('primary', 'danger') },
);

/** `initial_option` and `initial_options` are equal, field by field, to existing options. */
const amongOptions = (element: Record<string, unknown>) =>
  [element.initial_option, element.initial_options]
    .flat()
    .every((each) => each === undefined || optionsOf(element).some((offered) => isDeepStrictEqual(offered, each)));
const MUST_BE_OFFERED = 'initial option must match one of the options';

const oneList = (value: Record<string, unknown>) =>
  (value.options === undefined) !== (value.option_groups === undefined);
const ONE_LIST = 'must define either `options` or `option_groups`';

const common = { action_id: id, focus_on_load: flag, placeholder: plainText(150) };
const listed = { ...common, options, option_groups: optionGroups };
const select = (initial: Fields) =>
  kind({}, { ...listed, ...initial })
    .refine(oneList, ONE_LIST)
    .refine(amongOptions, MUST_BE_OFFERED);

const elements = {
  button: kind(
    { text: plainText(75) },
    {
      action_id: id,
      confirm,
      accessibility_label: text(75),
      style: oneOf('primary', 'danger'),
      value: text(2_000, 0),
      url: text(3_000, 0),
    },
  ),
  overflow: kind({ options: list(option, { least: 1, most: 5 }) }, { action_id: id }),
  static_select: select({ initial_option: option }),
  multi_static_select: select({ initial_options: options }),
  external_select: kind({}, { ...common, min_query_length: integer(0), initial_option: option }),
  multi_external_select: kind({}, { ...common, min_query_length: integer(0), initial_options: options }),
  users_select: kind({}, { ...common, initial_user: text() }),
  conversations_select: kind(
    {},
    {
      ...common,
      initial_conversation: text(),
      filter: object({}, { include: list(oneOf('im', 'mpim', 'private', 'public'), { least: 1, most: 4 }) }),
    },
  ),
  checkboxes: kind({ options: choices }, { ...common, initial_options: choices }).refine(amongOptions, MUST_BE_OFFERED),
  radio_buttons: kind({ options: choices }, { ...common, initial_option: option }).refine(
    amongOptions,
    MUST_BE_OFFERED,
  ),
};

const { button: _button, overflow: _overflow, ...elementsWithValue } = elements;
const inputs = {
  ...elementsWithValue,
  plain_text_input: kind(
    {},
    { ...common, initial_value: text(3_000, 0), multiline: flag, max_length: integer(1, 3_000) },
  ),
};

const words = { text: kind({ text: text() }) };
const leaves = {
  ...words,
  user: kind({ user_id: text() }),
  usergroup: kind({ usergroup_id: text() }),
  channel: kind({ channel_id: text() }),
  date: kind({ timestamp: integer(0), format: text() }, { fallback: text() }),
};
const richText = kind(
  {
    elements: list(
      byType({
        rich_text_section: kind({ elements: list(byType(leaves)) }),
        rich_text_preformatted: kind({ elements: list(byType(words)) }),
      }),
    ),
  },
  { block_id: id },
);

/** The blocks that a container takes by Slack's page and by its validator, whose list has been seen to differ. */
const contained = {
  section: kind({ text: anyText(3_000) }, { block_id: id, accessory: byType(elements) }),
  header: kind({ text: plainText(150) }, { block_id: id }),
  context: kind({ elements: list(anyText(3_000), { least: 1, most: 10 }) }, { block_id: id }),
  divider: kind({}, { block_id: id }),
  actions: kind({ elements: list(byType(elements), { least: 1, most: 25 }) }, { block_id: id }),
};

const basic = {
  ...contained,
  input: kind(
    { label: plainText(2_000), element: byType(inputs) },
    { block_id: id, hint: plainText(2_000), optional: flag, dispatch_action: flag },
  ),
  rich_text: richText,
};

/** The header has no rich text. Slack's page allows 100 rows below it, one SDK 200. */
const headings = { raw_text: kind({ text: text(3_000) }), raw_number: kind({ value: number, text: text(3_000) }) };
const action = kind({ element: byType({ button: elements.button }), fallback: byType(headings) });
const rowOf = (cells: Fields) => list(byType(cells), { least: 1, most: 20 });
const rows = z
  .tuple([rowOf(headings)], rowOf({ ...headings, rich_text: richText, action_cell: action }))
  .refine((all) => all.length >= 2, 'no fewer than 2 items allowed')
  .refine((all) => all.length <= 101, 'no more than 101 items allowed')
  .refine(([header, ...rest]) => rest.every(({ length }) => length === header.length), 'rows must have equal length');

const label = text(20);
const points = { least: 1, most: 20 };
const labelsOf = (data: unknown) =>
  z
    .array(z.object({ label: z.string() }))
    .parse(data)
    .map((point) => point.label);
/** Six series, as Slack's page says; twelve have been seen accepted. Their names differ, and each has a point for each category. */
const chart = kind({
  series: list(object({ name: label, data: list(object({ label, value: number }), points) }), { least: 1, most: 6 }),
  axis_config: object({ categories: list(label, points) }, { x_label: text(50, 0), y_label: text(50, 0) }),
})
  .refine(({ series }) => {
    const names = z
      .array(z.object({ name: z.string() }))
      .parse(series)
      .map(({ name }) => name);
    return new Set(names).size === names.length;
  }, 'the names of `series` must differ')
  .refine(({ series, axis_config }) => {
    const { categories } = z.object({ categories: z.array(z.string()) }).parse(axis_config);
    const all = z.array(z.object({ data: z.unknown() })).parse(series);
    return all.every(({ data }) => isDeepStrictEqual(labelsOf(data).toSorted(), categories.toSorted()));
  }, 'must have one data point for each category');

const container = kind(
  { title: plainText(150), child_blocks: list(byType(contained), { least: 1, most: 10 }) },
  { block_id: id, is_collapsible: flag, default_collapsed: flag },
).refine(
  ({ is_collapsible: isCollapsible, default_collapsed: isCollapsed }) => !isCollapsed || isCollapsible === true,
  'must define `is_collapsible` to use `default_collapsed`',
);

export const messageBlocks = list(
  byType({
    ...basic,
    container,
    data_table: kind({ caption: text(), rows }, { block_id: id, page_size: integer(1, 100) }),
    data_visualization: kind({ title: text(50), chart: byType({ bar: chart, area: chart }) }, { block_id: id }),
  }),
  { most: 50 },
);

const appFields = { private_metadata: text(3_000, 0), callback_id: text(255, 0) };
const typed = z.array(z.object({ type: z.string() }));
const isForm = (blocks: unknown) => typed.parse(blocks).some(({ type }) => type === 'input');

export const views = {
  modal: kind(
    { title: plainText(24), blocks: list(byType(basic), { most: 100 }) },
    { ...appFields, submit: plainText(24), close: plainText(24) },
  ).refine(
    ({ submit, blocks }) => submit !== undefined || !isForm(blocks),
    'must define `submit` to use an `input` block in modals',
  ),
  home: kind({ blocks: list(byType({ ...basic, container }), { most: 100 }) }, appFields),
};

export const suggestions = object({}, { options: list(option, { most: 100 }), option_groups: optionGroups }).refine(
  oneList,
  ONE_LIST,
);
