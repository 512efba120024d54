import { z } from 'zod';
import { unescaped } from '../../lib/input/slack-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** By block and element. */
export type TypedValues = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

const Element = z.record(z.string(), z.unknown());

/** How each kind of field takes its initial content, given what Slack sends ("Block elements"). */
const INITIAL = {
  value: 'initial_value',
  selected_option: 'initial_option',
  selected_options: 'initial_options',
  selected_user: 'initial_user',
  selected_users: 'initial_users',
  selected_time: 'initial_time',
  selected_date: 'initial_date',
} as const;

export function withTypedIn<Block extends object>(blocks: readonly Block[], values: TypedValues): Block[] {
  return blocks.map((block) => {
    const { block_id: blockId, element: drawn } = Element.parse(block);
    const element = Element.safeParse(drawn).data;
    const entry = element === undefined ? undefined : values[String(blockId)]?.[String(element.action_id)];
    return element === undefined || entry === undefined ? block : { ...block, element: withTyped(element, entry) };
  });
}

function withTyped(element: Fields, entry: Fields) {
  const drawn = Object.entries(element).filter(([key]) => !key.startsWith('initial_'));
  const typed = Object.entries(INITIAL).flatMap(([key, initial]) => {
    const value = key.startsWith('selected_option') ? chosen(entry[key], element) : entry[key];
    const isEmpty =
      value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [[initial, value] as const];
  });
  return Object.fromEntries([...drawn, ...typed]);
}

const Option = z.looseObject({ value: z.string() });
const Offered = z.object({
  options: z.array(Option).optional(),
  option_groups: z.array(z.object({ options: z.array(Option) })).optional(),
});

/**
 * As the element's own options, since Slack refuses an initial option that differs from them: it escapes and details
 * the texts of those that it sends. One that is no longer offered is left out. An external select offers none: its
 * choices are returned as Notif had sent them.
 */
function chosen(content: unknown, element: Fields): unknown {
  if (Array.isArray(content)) return content.flatMap((item: unknown) => chosen(item, element) ?? []);
  const echo = Option.safeParse(content).data;
  if (echo === undefined) return undefined;
  const { options, option_groups: groups } = Offered.safeParse(element).data ?? {};
  if (options === undefined && groups === undefined) return withUnescapedWords(echo);
  const offered = [...(options ?? []), ...(groups ?? []).flatMap((group) => group.options)];
  return offered.find(({ value }) => value === echo.value);
}

const Words = z.looseObject({ text: z.string() });

function withUnescapedWords(option: Fields): Fields {
  return Object.fromEntries(
    Object.entries(option).map(([key, content]) => {
      const words = Words.safeParse(content).data;
      return [key, words === undefined ? content : { ...words, text: unescaped(words.text) }];
    }),
  );
}
