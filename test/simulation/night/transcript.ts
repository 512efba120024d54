import type { MessageContent } from '../../../src/slack/blocks/blocks.ts';
import type { Scene } from './play-night.ts';

/** Prints what #oncall shows in order: each posted message, each edit that changes more than counts and ages, each act. */
export function transcriptOf(scenes: readonly Scene[], verbosity: 'all edits' | 'changes' = 'changes'): string {
  const numbers = new Map<string, number>();
  const shown = new Map<string, string>();
  return scenes
    .flatMap((scene) => {
      if ('act' in scene) return [`${clock(scene.at)}  ── ${scene.act}`];
      const { message } = scene;
      const number = numbers.get(message.id) ?? numbers.size + 1;
      numbers.set(message.id, number);
      const text = plain(message);
      const gist = gistOf(text);
      const isChange = verbosity === 'all edits' || shown.get(message.id) !== gist;
      shown.set(message.id, gist);
      if (!message.isNew && !isChange) return [];
      const what =
        message.threadTs !== null
          ? `reply ${number} in a thread`
          : message.isNew
            ? `message ${number}`
            : `edit of message ${number}`;
      return [`${clock(scene.at)}  ${what}\n${indented(text)}`];
    })
    .join('\n');
}

/** Removes counts, times and ages. */
function gistOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^(Now|Since|e\.g\.)/.test(line))
    .join('\n')
    .replaceAll(/\d+/g, '0');
}

function plain({ message, mentions, isNew }: { message: MessageContent; mentions: boolean; isNew: boolean }): string {
  const texts = message.blocks.length === 0 ? [message.text] : message.blocks.flatMap(textsIn);
  const said = texts
    .join('\n')
    .replaceAll(/<!date\^\d+\^[^|]*\|([^>]*)>/g, '$1')
    .replaceAll('*', '');
  return isNew
    ? `[notification${mentions ? ' with a mention' : ''}: ${message.text.replaceAll(/<!date\^\d+\^[^|]*\|([^>]*)>/g, '$1')}]\n${said}`
    : said;
}

function textsIn(block: MessageContent['blocks'][number]): string[] {
  if (block.type === 'header') return [block.text.text];
  if (block.type === 'section') return block.text === undefined ? [] : [block.text.text];
  if (block.type !== 'context') return [];
  return block.elements.flatMap((element) => ('text' in element ? [element.text] : []));
}

const clock = (time: number) => new Date(time).toISOString().slice(11, 19);
const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `          ${line}`)
    .join('\n');
