import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { richTextElement } from '../blocks/rich-text-schema.ts';
import { readTyped } from './typed-rich-text.ts';
import { writeOut } from './written-rich-text.ts';

const people = [{ id: 'U0ANN', name: 'ann' }];
const read = (source: string) => readTyped(source, people);
const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });

describe('text typed in a rich text field', () => {
  test('is bold, italic, struck or code by its markers', () => {
    expect(read('*a* _b *c*_ `d`')).toEqual([
      section(
        text('a', { bold: true }),
        text(' '),
        text('b ', { italic: true }),
        text('c', { italic: true, bold: true }),
        text(' '),
        text('d', { code: true }),
      ),
    ]);
  });

  test('is a list, a quote, or plain lines', () => {
    expect(read('to do:\n- one\n- two\n1. first\n> so\n```\n- no list\n```')).toMatchObject([
      section(text('to do:')),
      { type: 'rich_text_list', style: 'bullet', elements: [section(text('one')), section(text('two'))] },
      { type: 'rich_text_list', style: 'ordered', elements: [section(text('first'))] },
      { type: 'rich_text_quote', elements: [text('so')] },
      { type: 'rich_text_preformatted', elements: [text('- no list')] },
    ]);
  });

  test('mentions known people only', () => {
    expect(read('@ann and @eve, see https://a.test/?b&c')).toEqual([
      section({ type: 'user', user_id: 'U0ANN' }, text(' and '), text('@eve'), text(', see '), {
        type: 'link',
        url: 'https://a.test/?b&c',
      }),
    ]);
  });

  test("is never markup that Slack's editor doesn't have", () => {
    expect(read('<!channel> &lt;')).toEqual([section(text('<!channel> &lt;'))]);
  });

  test('is empty if nothing is typed', () => {
    expect(read('')).toEqual([]);
  });

  test('can be written out again', () => {
    const source = '*a* _b_ :eyes: @ann @here example.com\n- one\n- `two`\n> so';
    expect(writeOut(read(source), () => 'ann')).toBe(source);
  });

  test('is always well-formed rich text', () => {
    const sources = fc.string({ unit: fc.constantFrom('*', '_', '`', '\n', '- ', '> ', '1. ', '@ann', 'a', ' ', '<') });
    fc.assert(fc.property(sources, (source) => richTextElement.array().safeParse(read(source)).success));
  });
});
