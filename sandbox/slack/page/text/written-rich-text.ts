import type { RichTextElement, RichTextLeaf } from '../blocks/rich-text-schema.ts';

/** Writes rich text as typed markup that {@link readTyped} can parse again. `nameOf` returns the name of a mentioned person. */
export function writeOut(elements: readonly RichTextElement[], nameOf: (userId: string) => string): string {
  return elements.map((element) => writeElement(element, nameOf)).join('\n');
}

function writeElement(element: RichTextElement, nameOf: (userId: string) => string): string {
  switch (element.type) {
    case 'rich_text_section':
      return writeLeaves(element.elements, nameOf);
    case 'rich_text_quote':
      return writeLeaves(element.elements, nameOf).replace(/^/gm, '> ');
    case 'rich_text_preformatted':
      return `\`\`\`\n${writeLeaves(element.elements, nameOf)}\n\`\`\``;
    case 'rich_text_list':
      return element.elements
        .map(
          (item, index) =>
            `${element.style === 'ordered' ? `${index + 1}.` : '-'} ${writeLeaves(item.elements, nameOf)}`,
        )
        .join('\n');
  }
}

function writeLeaves(leaves: readonly RichTextLeaf[], nameOf: (userId: string) => string): string {
  return leaves.map((leaf) => withMarks(writeLeaf(leaf, nameOf), leaf.style ?? {})).join('');
}

function withMarks(text: string, { bold, italic, strike, code }: NonNullable<RichTextLeaf['style']>): string {
  let marked = code ? `\`${text}\`` : text;
  if (strike) marked = `~${marked}~`;
  if (italic) marked = `_${marked}_`;
  return bold ? `*${marked}*` : marked;
}

function writeLeaf(leaf: RichTextLeaf, nameOf: (userId: string) => string): string {
  switch (leaf.type) {
    case 'text':
      return leaf.text;
    case 'link':
      return leaf.text ?? leaf.url;
    case 'emoji':
      return `:${leaf.name}:`;
    case 'user':
      return `@${nameOf(leaf.user_id)}`;
    case 'channel':
      return `#${leaf.channel_id}`;
    case 'usergroup':
      return `@${leaf.usergroup_id}`;
    case 'broadcast':
      return `@${leaf.range}`;
    case 'color':
      return leaf.value;
    case 'date':
      return leaf.fallback ?? '';
  }
}
