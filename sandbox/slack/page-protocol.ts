/**
 * The protocol between the sandbox page and the local Slack. The page's only own state is what is being typed: it draws the newest
 * `Snapshot` and posts `PageAct`s. Block Kit stays as the bot sent it.
 *
 * - GET /page/snapshot?as=U… -> Snapshot
 * - GET /page/stream?as=U… -> server-sent events named `snapshot`, each a whole Snapshot, at most one each 100 ms
 * - GET /page/file?as=U…&id=F… -> the file's content, for anyone who sees it in a message
 * - POST /page/act?as=U… PageAct -> PageActAnswer
 */

/** A block, element or view as the bot sent it, checked by the validator and drawn by the page. */
export type Json = { readonly [key: string]: unknown };

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly standing: 'member' | 'guest' | 'other organization';
}

/** The person who looks. */
export interface Me extends Person {
  /** IANA name, of the account and not of the browser: Slack shows times in it, and apps get it. */
  readonly timeZone: string;
}

export interface Conversation {
  /** C… for a channel, D… for a direct message between the person and the bot. */
  readonly id: string;
  readonly kind: 'channel' | 'direct';
  readonly name: string;
  readonly isArchived: boolean;
  /** False for a direct message that is read-only by the app's manifest. */
  readonly takesMessages: boolean;
  readonly hasBot: boolean;
  readonly messages: readonly PostedMessage[];
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
}

export interface PostedFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
}

export interface PostedMessage {
  readonly ts: string;
  readonly author: string;
  readonly text: string;
  readonly blocks: readonly Json[];
  /** Present if only this person sees it. */
  readonly onlyVisibleTo: string | null;
  readonly threadTs: string | null;
  readonly files: readonly PostedFile[];
  /** Whether this person was notified by a mention when the message was posted. */
  readonly mentionsMe: boolean;
  readonly edited: boolean;
  /** The number of edits, silent or not. */
  readonly edits: number;
}

export interface OpenView {
  readonly id: string;
  /** The view as the bot sent it: title, submit, close, blocks, callback_id, … */
  readonly view: Json;
  /** What each field began with. */
  readonly starts: FieldContents;
  /** block_id -> the error, after a submission that the bot refused. */
  readonly errors: { readonly [blockId: string]: string };
}

export interface Snapshot {
  readonly me: Me;
  readonly people: readonly Person[];
  readonly userGroups: readonly UserGroup[];
  readonly conversations: readonly Conversation[];
  /** This person's modal stack, the top one last. */
  readonly views: readonly OpenView[];
  /** This person's Home tab; null before the bot has published one. */
  readonly home: OpenView | null;
  /** Whether the app has a Home tab. */
  readonly hasHome: boolean;
  readonly commands: readonly { readonly command: string; readonly description: string; readonly usageHint: string }[];
  readonly shortcuts: readonly {
    readonly name: string;
    readonly callbackId: string;
    readonly type: 'global' | 'message';
  }[];
  /** Whether a Socket Mode connection of the bot is open. */
  readonly botConnected: boolean;
}

/** A component's place. */
export type Surface =
  | { readonly in: 'message'; readonly channel: string; readonly ts: string }
  | { readonly in: 'view'; readonly viewId: string };

/** block_id -> action_id -> value, in the shape of Slack's `state.values`. */
export type StateValues = { readonly [blockId: string]: { readonly [actionId: string]: Json } };

/** The content of a field, in the shape of its `state.values`, since it came into its view: `since` changes when it leaves and returns. */
export interface FieldContent {
  readonly since: string;
  readonly state: Json;
}

/** block_id -> action_id -> content. */
export type FieldContents = { readonly [blockId: string]: { readonly [actionId: string]: FieldContent } };

/** The tabs of the conversation with the bot. */
export type Tab = 'home' | 'messages';

/** A person's change of a channel. */
export type ChannelChange = 'archive' | 'unarchive' | 'invite-bot' | 'remove-bot';

export type PageAct =
  /** Refused in a thread. */
  | { readonly do: 'command'; readonly channel: string; readonly text: string; readonly threadTs?: string }
  | { readonly do: 'say'; readonly channel: string; readonly text: string; readonly threadTs?: string }
  | { readonly do: 'open-tab'; readonly tab: Tab }
  | { readonly do: 'create-channel'; readonly name: string }
  | { readonly do: 'change-channel'; readonly channel: string; readonly change: ChannelChange }
  | { readonly do: 'global-shortcut'; readonly callbackId: string }
  | { readonly do: 'message-shortcut'; readonly callbackId: string; readonly channel: string; readonly ts: string }
  | {
      readonly do: 'block-action';
      readonly surface: Surface;
      readonly blockId: string;
      readonly actionId: string;
      /** What Slack puts into `actions[0]` besides the IDs: type, value, selected_option, … */
      readonly action: Json;
      readonly state: StateValues;
    }
  | {
      readonly do: 'suggest';
      readonly surface: Surface;
      readonly blockId: string;
      readonly actionId: string;
      readonly value: string;
    }
  | { readonly do: 'submit-view'; readonly viewId: string; readonly state: StateValues }
  | { readonly do: 'close-view'; readonly viewId: string }
  | { readonly do: 'close-all-views' };

/** `error` is Slack's code (`operation_timeout`, …), `message` a sentence for the person. */
export type PageActAnswer =
  | { readonly ok: true; readonly options?: readonly Json[] }
  | { readonly ok: false; readonly error: string; readonly message: string };
