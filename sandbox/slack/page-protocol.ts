import { z } from 'zod';

/** The page draws the newest Snapshot (`GET /page/stream?as=U…`, server-sent events) and posts PageActs (`POST /page/act?as=U…`). */

/** A block, element or view as the bot sent it, checked by the validator and drawn by the page. */
export type Json = { [key: string]: unknown };

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { [Key in keyof T]: Frozen<T[Key]> }
    : T;

const json = z.record(z.string(), z.unknown());

const person = z.object({
  id: z.string(),
  name: z.string(),
  isBot: z.boolean(),
  standing: z.enum(['member', 'guest', 'other organization']),
});

const file = z.object({ id: z.string(), name: z.string(), title: z.string(), size: z.number() });

const message = z.object({
  ts: z.string(),
  author: z.string(),
  text: z.string(),
  blocks: z.array(json),
  onlyVisibleTo: z.string().nullable(),
  threadTs: z.string().nullable(),
  isBroadcast: z.boolean(),
  files: z.array(file),
  mentionsMe: z.boolean(),
  edited: z.boolean(),
});

const conversation = z.object({
  id: z.string(),
  kind: z.enum(['channel', 'direct']),
  name: z.string(),
  isArchived: z.boolean(),
  messages: z.array(message),
});

/** block_id -> action_id -> value, in the shape of Slack's `state.values`. */
const stateValues = z.record(z.string(), z.record(z.string(), json));

const openView = z.object({
  id: z.string(),
  view: json,
  /** The values with which its fields began. */
  starts: stateValues,
  errors: z.record(z.string(), z.string()),
});

export const snapshotSchema = z.object({
  /** `timeZone` is the IANA name of the account and not of the browser: Slack shows times in it, and apps get it. */
  me: person.extend({ timeZone: z.string() }),
  people: z.array(person),
  userGroups: z.array(z.object({ id: z.string(), handle: z.string() })),
  conversations: z.array(conversation),
  views: z.array(openView),
  home: openView.nullable(),
  shortcuts: z.array(z.object({ name: z.string(), callbackId: z.string(), type: z.enum(['global', 'message']) })),
  botConnected: z.boolean(),
});

export type Person = Frozen<z.infer<typeof person>>;
export type PostedFile = Frozen<z.infer<typeof file>>;
export type PostedMessage = Frozen<z.infer<typeof message>>;
export type Conversation = Frozen<z.infer<typeof conversation>>;
export type OpenView = Frozen<z.infer<typeof openView>>;
export type Snapshot = Frozen<z.infer<typeof snapshotSchema>>;

const surface = z.discriminatedUnion('in', [
  z.object({ in: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({ in: z.literal('view'), viewId: z.string() }),
]);
const tab = z.enum(['home', 'messages']);
const line = { channel: z.string(), text: z.string(), threadTs: z.string().exactOptional() };
const component = { surface, blockId: z.string(), actionId: z.string() };

export const actSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('command'), ...line }),
  z.object({ do: z.literal('say'), ...line }),
  z.object({ do: z.literal('open-tab'), tab }),
  z.object({ do: z.literal('global-shortcut'), callbackId: z.string() }),
  z.object({ do: z.literal('message-shortcut'), callbackId: z.string(), channel: z.string(), ts: z.string() }),
  /** `action` is what Slack puts into `actions[0]` besides the IDs: type, value, selected_option, … */
  z.object({ do: z.literal('block-action'), ...component, action: json, state: stateValues }),
  z.object({ do: z.literal('suggest'), ...component, value: z.string() }),
  z.object({ do: z.literal('submit-view'), viewId: z.string(), state: stateValues }),
  z.object({ do: z.literal('close-view'), viewId: z.string() }),
  z.object({ do: z.literal('close-all-views') }),
]);

export const actAnswerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), options: z.array(json).exactOptional() }),
  z.object({ ok: z.literal(false), error: z.string(), message: z.string() }),
]);

export type Surface = Frozen<z.infer<typeof surface>>;
export type StateValues = Frozen<z.infer<typeof stateValues>>;
export type Tab = z.infer<typeof tab>;
export type PageAct = Frozen<z.infer<typeof actSchema>>;
export type PageActAnswer = Frozen<z.infer<typeof actAnswerSchema>>;
