import { objectIn, objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { EnvelopeNote } from './notes.ts';

const VALUE_LENGTH = 40;
const LENGTH = 160;

/** Formats arguments in one line: short values unchanged, and only the size of blocks and views. */
export function argumentsInShort(args: Json): string {
  const parts = Object.entries(args).map(([name, value]) => `${name}=${valueInShort(value)}`);
  return cut(parts.join(' '), LENGTH);
}

function valueInShort(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return cut(String(value), VALUE_LENGTH);
}

/** Describes a payload: the typed command, the button's `action_id`, the event. */
export function payloadInShort({ type, payload }: Pick<EnvelopeNote, 'type' | 'payload'>): {
  readonly what: string;
  readonly about: string;
} {
  switch (type) {
    case 'slash_commands':
      return { what: `${payload.command} ${payload.text}`.trim(), about: `by ${payload.user_name}` };
    case 'events_api':
      return {
        what: String(objectIn(payload, 'event').type ?? payload.type),
        about: stringIn(payload, 'event_id') ?? '',
      };
    case 'interactive':
      return { what: String(payload.type), about: `${idIn(payload)} by ${objectIn(payload, 'user').name}` };
  }
}

/** Returns the ID of an action, a shortcut or a view, by which the bot knows it. */
function idIn(payload: Json): string {
  const [action] = objectsIn(payload, 'actions');
  const id = stringIn(action, 'action_id') ?? stringIn(payload, 'action_id') ?? stringIn(payload, 'callback_id');
  return id ?? stringIn(objectIn(payload, 'view'), 'callback_id') ?? '';
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
