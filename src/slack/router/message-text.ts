type Fields = Readonly<Record<string, unknown>>;

/** The text in a container: its own text fields (strings or text objects), and its fields with further containers, in order. */
interface Container {
  readonly texts?: readonly string[];
  readonly parts?: Readonly<Record<string, Kind>>;
}

/** Null for a container that Notif doesn't know. */
type Kind = (fields: Fields) => Container | null;

/** What remains for one message. */
interface Budget {
  containers: number;
  characters: number;
}

/** More than a Slack message can contain, and the limit of the search for IDs. */
const MOST_CHARACTERS = 20_000;
const MOST_CONTAINERS = 5_000;
const MOST_LEVELS = 16;

const byType =
  (table: Readonly<Record<string, Container>>): Kind =>
  ({ type }) =>
    typeof type === 'string' && Object.hasOwn(table, type) ? (table[type] ?? null) : null;

const TEXT: Container = { texts: ['text'] };
/** For clickable elements only the link's target counts: labels and values belong to the app that posted it. */
const link: Kind = () => ({ texts: ['url'] });
const textObject = byType({ mrkdwn: TEXT, plain_text: TEXT });
const control = byType({ button: { texts: ['url'] }, workflow_button: {} });

/** The leaves of rich text. People, channels, groups, dates, colors and emoji contain no text. */
const leaf = byType({ text: TEXT, link: { texts: ['url', 'text'] } });
const inRichText: Kind = (fields) => richText(fields);
const richText = byType({
  rich_text: { parts: { elements: inRichText } },
  rich_text_list: { parts: { elements: inRichText } },
  rich_text_section: { parts: { elements: leaf } },
  rich_text_quote: { parts: { elements: leaf } },
  rich_text_preformatted: { parts: { elements: leaf } },
});
const cell: Kind = (fields) => richText(fields) ?? byType({ raw_text: TEXT })(fields);

const TASK: Container = { texts: ['title'], parts: { details: inRichText, output: inRichText, sources: link } };
const CARD: Container = { texts: ['title', 'subtitle', 'body'], parts: { actions: control } };
const block: Kind = (fields) => richText(fields) ?? blocks(fields);
const blocks = byType({
  section: { texts: ['text'], parts: { fields: textObject, accessory: control } },
  header: TEXT,
  alert: TEXT,
  context: { parts: { elements: textObject } },
  actions: { parts: { elements: control } },
  markdown: TEXT,
  image: { texts: ['title', 'alt_text'] },
  video: { texts: ['title', 'description', 'alt_text'] },
  table: { parts: { rows: cell } },
  data_table: { parts: { rows: cell } },
  card: CARD,
  carousel: { parts: { elements: byType({ card: CARD }) } },
  task_card: TASK,
  plan: { texts: ['title'], parts: { tasks: byType({ task_card: TASK }) } },
  container: { texts: ['title', 'subtitle'], parts: { child_blocks: block } },
});

const LEGACY: Container = {
  texts: ['pretext', 'title', 'title_link', 'text'],
  parts: {
    fields: () => ({ texts: ['title', 'value'] }),
    blocks: block,
    message_blocks: () => ({ parts: { message: message } }),
    files: () => FILE,
    actions: link,
  },
};
const FILE: Container = { texts: ['title'] };

/** In a shared message the fallback and the footer are Slack's: they name its author, channel and time. */
const attachment: Kind = ({ is_share: isShare, is_msg_unfurl: isUnfurl }) => ({
  ...LEGACY,
  texts: [
    ...(LEGACY.texts ?? []),
    'from_url',
    ...(isShare === true || isUnfurl === true ? [] : ['fallback', 'footer']),
  ],
});

/** For a message with rich text, Slack generates the plain text from it, with formatting and emoji codes, so the displayed text is used. */
const message: Kind = ({ blocks: shown }) => ({
  texts: Array.isArray(shown) && shown.some((block) => fieldsOf(block)?.type === 'rich_text') ? [] : ['text'],
  parts: { blocks: block, attachments: attachment, files: () => FILE },
});

/**
 * Returns the text in a Slack message, each text once on its own line, at most 20,000 characters: its own text and those of its blocks,
 * attachments, shared messages and files' titles, with the targets of links. Only fields that hold text are used, by kind of container
 * (Slack's reference of "Blocks", "Rich text" and "Secondary attachments"): never IDs, colors, emoji, timestamps, names of people or of
 * channels. Accepts anything and throws nothing; unknown containers count as empty.
 */
export function textsIn(sent: unknown): string {
  const texts = textsOf(sent, message, { containers: MOST_CONTAINERS, characters: MOST_CHARACTERS }, 0);
  return [...new Set(texts.map((text) => text.trim()))].join('\n').trim().slice(0, MOST_CHARACTERS);
}

function textsOf(value: unknown, kind: Kind, budget: Budget, level: number): string[] {
  if (level > MOST_LEVELS || budget.containers-- <= 0 || budget.characters <= 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, kind, budget, level + 1));
  const fields = fieldsOf(value);
  const container = fields && kind(fields);
  if (!fields || !container) return [];
  const { texts = [], parts = {} } = container;
  const here = texts.flatMap((field) => textIn(fields[field], budget));
  return [
    ...here,
    ...Object.entries(parts).flatMap(([field, inner]) => partsOf(fields[field], inner, budget, level + 1)),
  ];
}

/** The leaves of rich text form one sentence; everything else stays separate. */
function partsOf(value: unknown, kind: Kind, budget: Budget, level: number): string[] {
  if (kind !== leaf || !Array.isArray(value)) return textsOf(value, kind, budget, level);
  const words = value.map((element) => {
    const said = textsOf(element, leaf, budget, level + 1).join(' ');
    return fieldsOf(element)?.type === 'text' ? said : ` ${said} `;
  });
  return [words.join('')];
}

function textIn(value: unknown, budget: Budget): string[] {
  const text = typeof value === 'string' ? value : fieldsOf(value)?.text;
  if (typeof text !== 'string') return [];
  const said = withoutReferences(text.slice(0, Math.max(0, budget.characters)));
  budget.characters -= said.length;
  return [said];
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** Removes `<@U0ANN|ann>`, `<#C0ONCALL|oncall>`, `<!date^…|…>` and `:emoji-2:`: they are names or times, not IDs. */
function withoutReferences(text: string): string {
  return text
    .replace(/<[@#!][^<>]*>/g, ' ')
    .replace(/(?<!\S)(?::[\w+'-]{1,100}:)+|(?<![\w.:/=-])(?::[\w+'-]{1,100}:)+(?![\w./-])/g, ' ');
}
