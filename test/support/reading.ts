import { isJson } from '../../sandbox/slack/json.ts';
import { type Inline, parseMrkdwn } from '../../sandbox/slack/page/text/mrkdwn.ts';
import type { OpenView } from '../../sandbox/slack/page-protocol.ts';
import type { MessageWords } from '../../sandbox/slack/workspace/snapshot.ts';

/** Returns a line for each text that a reader sees of a message or modal, with buttons, filled-in fields and file names. */
export function wordsOf(shown: MessageWords | OpenView): string {
  if ('view' in shown) return read(shown.view).join('\n');
  const texts = read(shown.blocks);
  const names = shown.files.map(({ name }) => name);
  return [...(texts.length > 0 ? texts : [asRead(shown.text)]), ...names].filter((text) => text !== '').join('\n');
}

/**
 * Returns markup as a reader sees it, without its signs. What Slack turns into a mention, link or broadcast is in angle brackets ⟨⟩, which
 * text from outside must never get.
 */
export function asRead(mrkdwn: string): string {
  return parseMrkdwn(mrkdwn)
    .map(({ children }) => children.map(inlineAsRead).join(''))
    .join('\n');
}

/** The texts of each view and each message's blocks: a person reads all of them after each change, which replaces only what changed. */
const known = new WeakMap<object, readonly string[]>();

function read(shown: object): readonly string[] {
  const texts = known.get(shown) ?? textsIn(shown);
  known.set(shown, texts);
  return texts;
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJson(value)) return [];
  const { type, text, title, initial_value: filledIn, ...others } = value;
  if (type === 'data_table') return [String(value.caption), ...rowsIn(value.rows)];
  if (typeof text === 'string') return [type === 'mrkdwn' ? asRead(text) : text];
  const plain = [title, filledIn].filter((each) => typeof each === 'string');
  return [...textsIn(title), ...textsIn(text), ...plain, ...Object.values(others).flatMap(textsIn)];
}

/** Returns a line for each row of a table: 'txn_1 | ✅ delivered | 2026-03-04 12:00 UTC'. A narrow screen has no room for a sixth column. */
function rowsIn(rows: unknown): string[] {
  const cells = listed(rows).map((row) => listed(row).map(cellAsRead));
  if (cells.some((row) => row.length > 5)) throw new Error(`a table has more than five columns: ${cells[0]}`);
  return cells.map((row) => row.join(' | '));
}

function cellAsRead(cell: unknown): string {
  if (!isJson(cell)) return '';
  if (typeof cell.text === 'string') return cell.text;
  if (cell.type === 'action_cell') return textsIn(cell.element).join(' ');
  if (cell.type === 'date') return String(cell.fallback);
  if (cell.type === 'user') return `⟨user ${cell.user_id}⟩`;
  if (cell.type === 'usergroup') return `⟨usergroup ${cell.usergroup_id}⟩`;
  if (cell.type === 'channel') return `⟨channel ${cell.channel_id}⟩`;
  return listed(cell.elements).map(cellAsRead).join('');
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function inlineAsRead(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return inline.children.map(inlineAsRead).join('');
    case 'date':
      return inline.fallback;
    case 'emoji':
      return `:${inline.name}:`;
    case 'link':
      return `⟨${inline.label}: ${inline.url}⟩`;
    case 'broadcast':
      return `⟨@${inline.range}⟩`;
    case 'user':
    case 'channel':
    case 'usergroup':
      return `⟨${inline.kind} ${inline.id}⟩`;
  }
}
