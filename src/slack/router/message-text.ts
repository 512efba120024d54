type Fields = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 20_000;
const MOST_LEVELS = 16;

const TEXTS = [
  ...['pretext', 'title', 'title_link', 'subtitle', 'description', 'text', 'body', 'alt_text', 'url', 'from_url'],
];

const CONTAINERS = [
  ...['blocks', 'message_blocks', 'message', 'attachments', 'files', 'fields', 'accessory', 'actions', 'elements'],
  ...['rows', 'child_blocks', 'tasks', 'details', 'output', 'sources'],
];

const SENTENCES: readonly unknown[] = ['rich_text_section', 'rich_text_quote', 'rich_text_preformatted'];

/** Labels and values belong to the app that posted it; its link counts. */
const CONTROLS: readonly unknown[] = ['button', 'workflow_button', 'select'];

/** Each text once, a line each, with links' targets. Accepts anything. */
export function textsIn(message: unknown): string {
  const texts = textsOf(message, 0).map((text) => text.trim());
  return [...new Set(texts)].join('\n').trim().slice(0, MOST_CHARACTERS);
}

function textsOf(value: unknown, level: number): string[] {
  if (level > MOST_LEVELS) return [];
  if (typeof value === 'string') return [withoutReferences(value)];
  if (Array.isArray(value))
    return value.filter((item) => typeof item === 'object').flatMap((item) => textsOf(item, level + 1));
  if (!isFields(value)) return [];
  if (SENTENCES.includes(value.type)) return [sentenceOf(value.elements)];
  return fieldsOf(value).flatMap((name) => textsOf(value[name], level + 1));
}

function fieldsOf(value: Fields): readonly string[] {
  if ('action_id' in value || CONTROLS.includes(value.type)) return ['url'];
  const containers = CONTAINERS.filter((name) => typeof value[name] !== 'string');
  // Slack generates `text` from rich text.
  const isRich =
    Array.isArray(value.blocks) && value.blocks.some((block) => isFields(block) && block.type === 'rich_text');
  if (isRich) return [...TEXTS.filter((name) => name !== 'text'), ...containers];
  if ('type' in value) return [...TEXTS, ...containers];
  // A shared message's fallback and footer name its author and time.
  const isShared = value.is_share === true || value.is_msg_unfurl === true;
  return [...TEXTS, 'value', ...(isShared ? [] : ['fallback', 'footer']), ...containers];
}

function sentenceOf(elements: unknown): string {
  const leaves = Array.isArray(elements) ? elements.filter(isFields) : [];
  const words = leaves.map(({ type, text, url }) => {
    if (type === 'link') return ` ${[url, text].filter((part) => typeof part === 'string').join(' ')} `;
    return type === 'text' && typeof text === 'string' ? text : ' ';
  });
  return withoutReferences(words.join(''));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** References and `:emoji-2:` hold names or times, not IDs. */
function withoutReferences(text: string): string {
  return text
    .slice(0, MOST_CHARACTERS)
    .replace(/<[@#!][^<>]*>/g, ' ')
    .replace(/(?<!\S)(?::[\w+'-]{1,100}:)+|(?<![\w.:/=-])(?::[\w+'-]{1,100}:)+(?![\w./-])/g, ' ');
}
