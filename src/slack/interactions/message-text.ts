type Fields = Readonly<Record<string, unknown>>;

/** What a container says: its own fields of text (a string or a text object) and the fields with further containers, in order. */
interface Container {
  readonly texts?: readonly string[];
  readonly parts?: Readonly<Record<string, Kind>>;
}

/** Finds what a container of this kind can say; null for one that Notif doesn't know. */
type Kind = (fields: Fields) => Container | null;

/** What one message can still cost. */
interface Budget {
  containers: number;
  characters: number;
}

/** More than a Slack message holds, and what is looked at for ids. */
const MOST_CHARACTERS = 20_000;
const MOST_CONTAINERS = 5_000;
const MOST_LEVELS = 16;

const byType =
  (table: Readonly<Record<string, Container>>): Kind =>
  ({ type }) =>
    typeof type === 'string' && Object.hasOwn(table, type) ? (table[type] ?? null) : null;

const TEXT: Container = { texts: ['text'] };
/** Of what can be clicked, only where it leads: labels and values belong to the app that posted it. */
const link: Kind = () => ({ texts: ['url'] });
const textObject = byType({ mrkdwn: TEXT, plain_text: TEXT });
const control = byType({ button: { texts: ['url'] }, workflow_button: {} });

/** Leaves of rich text: people, channels, groups, dates, colors and emoji say nothing. */
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

const CARD: Container = { texts: ['title', 'subtitle', 'body'], parts: { actions: control } };
const block: Kind = (fields) => richText(fields) ?? blocks(fields);
const blocks = byType({
  section: { texts: ['text'], parts: { fields: textObject, accessory: control } },
  header: TEXT,
  context: { parts: { elements: textObject } },
  actions: { parts: { elements: control } },
  markdown: TEXT,
  table: { parts: { rows: cell } },
  data_table: { parts: { rows: cell } },
  card: CARD,
  carousel: { parts: { elements: byType({ card: CARD }) } },
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

/** Of a shared message, the fallback and the footer are Slack's: they name its author, its channel and its time. */
const attachment: Kind = ({ is_share: isShare, is_msg_unfurl: isUnfurl }) => ({
  ...LEGACY,
  texts: [
    ...(LEGACY.texts ?? []),
    'from_url',
    ...(isShare === true || isUnfurl === true ? [] : ['fallback', 'footer']),
  ],
});

/** Slack writes the text of a message with rich text from that, with formatting and codes of emoji: what is shown counts. */
const message: Kind = ({ blocks: shown }) => ({
  texts: Array.isArray(shown) && shown.some((one) => fieldsOf(one)?.type === 'rich_text') ? [] : ['text'],
  parts: { blocks: block, attachments: attachment, files: () => FILE },
});

/**
 * What a Slack message says, each text once on a line of its own, at most 20,000 characters: its own text and those of its blocks,
 * attachments, shared messages and files' titles, with the addresses of links. Only fields that hold text are looked at, by kind of
 * container (Slack's reference of "Blocks", "Rich text" and "Secondary attachments"): never ids, colors, emoji, timestamps, names of
 * people or of channels. Takes anything and throws nothing; what it doesn't know says nothing.
 */
export function textsIn(sent: unknown): string {
  const texts = textsOf(sent, message, { containers: MOST_CONTAINERS, characters: MOST_CHARACTERS }, 0);
  return [...new Set(texts.map((text) => text.trim()))].join('\n').trim().slice(0, MOST_CHARACTERS);
}

function textsOf(value: unknown, kind: Kind, budget: Budget, level: number): string[] {
  if (level > MOST_LEVELS || budget.containers-- <= 0 || budget.characters <= 0) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, kind, budget, level + 1));
  const fields = fieldsOf(value);
  const container = fields && kind(fields);
  if (!fields || !container) return [];
  const { texts = [], parts = {} } = container;
  const own = texts.flatMap((field) => textIn(fields[field], budget));
  return [
    ...own,
    ...Object.entries(parts).flatMap(([field, inner]) => partsOf(fields[field], inner, budget, level + 1)),
  ];
}

/** The leaves of rich text are a sentence; everything else stands by itself. */
function partsOf(value: unknown, kind: Kind, budget: Budget, level: number): string[] {
  if (kind !== leaf || !Array.isArray(value)) return textsOf(value, kind, budget, level);
  const words = value.map((one) => {
    const said = textsOf(one, leaf, budget, level + 1).join(' ');
    return fieldsOf(one)?.type === 'text' ? said : ` ${said} `;
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

/** `<@U0ANN|ann>`, `<#C0ONCALL|oncall>`, `<!date^…|…>` and `:emoji-2:`: what stands there is a name or a time, not an id. */
function withoutReferences(text: string): string {
  return text.replace(/<[@#!][^<>]*>/g, ' ').replace(/(?<![\w.:/=-])(?::[\w+'-]{1,100}:)+(?![\w./-])/g, ' ');
}
