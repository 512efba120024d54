/** Of a message and of each of its texts: bounds the time that patterns take on what others post. */
export const MOST_CHARACTERS = 20_000;

/** Fields of a message that hold a text or further fields. */
const TEXT_FIELDS = new Set(
  `pretext title title_link subtitle description text body alt_text url from_url blocks message_blocks message
  attachments files fields accessory actions elements rows child_blocks tasks details output sources`.split(/\s+/),
);

/** The texts and links' targets in a message of any app, a line each and without repeats. */
export function textsIn(message: unknown): string {
  const texts = textsOf(message).map((text) => withoutEmoji(text).trim());
  return [...new Set(texts)].join('\n').trim().slice(0, MOST_CHARACTERS);
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  // A control's label and value belong to the app that posted it; a field's value is a text.
  const isShown = (name: string): boolean => {
    if ('action_id' in value) return name === 'url';
    return TEXT_FIELDS.has(name) || (name === 'value' && !('type' in value));
  };
  const shown = Object.entries(value).filter(([name]) => isShown(name));
  return shown.flatMap(([, field]) => (typeof field === 'string' ? [field] : textsOf(field)));
}

/** `:emoji-2:` is no ID. */
function withoutEmoji(text: string): string {
  return text.slice(0, MOST_CHARACTERS).replace(/(?<![\w.:/=-])(?::[\w+'-]{1,100}:)+(?![\w./-])/g, ' ');
}
