import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { FilledView } from './interaction.ts';
import { withTypedIn } from './typed.ts';

/** The fields that Notif uses of the bodies that Slack sends ("Interaction payloads", "Implementing slash commands"). */

const Id = z.object({ id: z.string() });
const Message = z.object({ ts: z.string().optional(), thread_ts: z.string().optional() });
const Option = z.object({ value: z.string() });

/** An entry of `state.values`: text, one or several chosen options, a person, or a time of day. */
const Entry = z
  .object({
    value: z.string().nullish(),
    selected_option: Option.nullish(),
    selected_options: z.array(Option).nullish(),
    selected_user: z.string().nullish(),
    selected_time: z.string().nullish(),
  })
  .transform((entry) => {
    const options = entry.selected_options ?? [entry.selected_option];
    const all = [entry.value, entry.selected_user, entry.selected_time, ...options.map((option) => option?.value)];
    return all.filter((one) => one !== null && one !== undefined);
  });

const Typed = z.record(z.string(), z.unknown());

/** Nothing is read from other blocks. */
const Drawn = z.object({ block_id: z.string(), element: z.object({ initial_value: z.string() }) });

const Words = z.object({ text: z.string() });
type Words = z.output<typeof Words>;

/** `result`: the modal as it is shown if it isn't a form, which people may be filling in. */
const View = z
  .object({
    id: z.string(),
    hash: z.string().optional(),
    callback_id: z.string().default(''),
    type: z.enum(['modal', 'home']).default('modal'),
    private_metadata: z.string().default(''),
    title: Words.nullish(),
    close: Words.nullish(),
    blocks: z.array(z.looseObject({})).default([]),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), Typed)) }).default({ values: {} }),
  })
  .transform(
    ({ id, hash, callback_id: callbackId, type, private_metadata: privateMetadata, blocks, state, ...words }) => {
      const drawn = initialIn(blocks);
      const carried = (next: ModalView): ModalView => ({
        ...next,
        blocks: withTypedIn(next.blocks, asDrawn(state.values, drawn)),
      });
      return {
        ...{ type, hash, carried },
        result: type === 'modal' && callbackId === '' ? resultAsShown(words, blocks) : null,
        ...filledView(id, { callbackId, privateMetadata, initialIn: drawn }, state.values),
      };
    },
  );

function resultAsShown(
  { title, close }: { readonly title?: Words | null | undefined; readonly close?: Words | null | undefined },
  blocks: readonly object[],
): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title?.text ?? 'Notif' },
    ...(close ? { close: { type: 'plain_text', text: close.text } } : {}),
    // Slack created them from what Notif had sent.
    blocks: blocks as unknown as KnownBlock[],
  };
}

export const CommandBody = z.object({
  user_id: z.string(),
  channel_id: z.string(),
  text: z.string().default(''),
  trigger_id: z.string(),
  response_url: z.string(),
});

export const ShortcutBody = z.object({
  user: Id,
  trigger_id: z.string(),
  channel: Id.optional(),
  response_url: z.string().optional(),
  message: z.record(z.string(), z.unknown()).optional(),
});

export const ActionBody = z.object({
  user: Id,
  trigger_id: z.string(),
  channel: Id.optional(),
  response_url: z.string().optional(),
  view: View.optional(),
  /** The message that was acted on. Slack leaves out an ephemeral one, for which there is only `container`. */
  message: Message.optional(),
  container: z.object({ message_ts: z.string().optional(), thread_ts: z.string().optional() }).optional(),
  actions: z
    .tuple([
      z.object({ value: z.string().nullish(), selected_option: Option.nullish(), block_id: z.string().default('') }),
    ])
    .rest(z.unknown()),
});

export const SubmissionBody = z.object({ user: Id, trigger_id: z.string(), view: View });

export const OptionsBody = z.object({ user: Id, value: z.string().default(''), block_id: z.string() });

/**
 * A person's message to Notif ("app_mention event", "message.im event"). Edits, deletions and apps' messages have a `subtype` or a
 * `bot_id`; thread replies that are also sent to the channel, and messages with a file, are by people.
 */
export const WrittenMessage = z.object({
  user: z.string(),
  text: z.string(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  channel: z.string(),
  subtype: z.enum(['thread_broadcast', 'file_share']).optional(),
  bot_id: z.never().optional(),
});

export const HomeOpened = z.object({ user: z.string(), tab: z.enum(['home', 'messages']) });

type Values = Readonly<Record<string, Readonly<Record<string, z.output<typeof Typed>>>>>;

function filledView(
  id: string,
  { callbackId, privateMetadata, initialIn }: Pick<FilledView, 'callbackId' | 'privateMetadata' | 'initialIn'>,
  values: Values,
): Omit<FilledView, 'carried'> {
  const valuesIn = (blockId: string) => Entry.safeParse(Object.values(values[blockId] ?? {})[0] ?? {}).data ?? [];
  return {
    id,
    callbackId,
    privateMetadata,
    initialIn,
    blockIds: Object.keys(values),
    valueIn: (blockId) => valuesIn(blockId)[0] ?? null,
    valuesIn,
  };
}

/** Slack keeps what people typed by itself, and Notif doesn't send it back. */
function asDrawn(values: Values, drawn: FilledView['initialIn']): Values {
  const entryOf = (blockId: string, entry: Values[string][string]) =>
    typeof entry.value === 'string' ? { ...entry, value: drawn(blockId) } : entry;
  return Object.fromEntries(
    Object.entries(values).map(([blockId, entries]) => [
      blockId,
      Object.fromEntries(Object.entries(entries).map(([id, entry]) => [id, entryOf(blockId, entry)])),
    ]),
  );
}

function initialIn(blocks: readonly unknown[]): FilledView['initialIn'] {
  const drawn = blocks.flatMap((block) => Drawn.safeParse(block).data ?? []);
  return (blockId) => drawn.find(({ block_id: id }) => id === blockId)?.element.initial_value ?? null;
}
