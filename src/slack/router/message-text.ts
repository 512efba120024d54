const MOST_CHARACTERS = 20_000;
const MOST_LEVELS = 16;

/** What people see of a message, and what it links. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['pretext', 'title', 'title_link', 'subtitle', 'description', 'text', 'body', 'alt_text', 'url', 'from_url'],
  ...['blocks', 'message_blocks', 'message', 'attachments', 'files', 'fields', 'accessory', 'actions', 'elements'],
  ...['rows', 'child_blocks', 'tasks', 'details', 'output', 'sources'],
]);

/** Each text once, a line each, with links' targets. Accepts anything. */
export function textsIn(message: unknown): string {
  const texts = textsOf(message, 0).map((text) => withoutEmoji(text).trim());
  return [...new Set(texts)].join('\n').trim().slice(0, MOST_CHARACTERS);
}

function textsOf(value: unknown, level: number): string[] {
  if (typeof value !== 'object' || value === null || level > MOST_LEVELS) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, level + 1));
  // A control's label and value belong to the app that posted it; a field's value is a text.
  const isShown = (name: string) =>
    'action_id' in value ? name === 'url' : FIELDS.has(name) || (name === 'value' && !('type' in value));
  const shown = Object.entries(value).filter(([name]) => isShown(name));
  return shown.flatMap(([, field]) => (typeof field === 'string' ? [field] : textsOf(field, level + 1)));
}

/** `:emoji-2:` is no ID. */
function withoutEmoji(text: string): string {
  return text.slice(0, MOST_CHARACTERS).replace(/(?<![\w.:/=-])(?::[\w+'-]{1,100}:)+(?![\w./-])/g, ' ');
}
