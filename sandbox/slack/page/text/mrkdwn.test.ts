import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Inline, type Passage, parseMrkdwn } from './mrkdwn.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });
const inlines = (source: string): readonly Inline[] => parseMrkdwn(source).flatMap(({ children }) => children);

function plain(passages: readonly Passage[]): string {
  return passages.map(({ children }) => children.map(plainInline).join('')).join('');
}

function plainInline(inline: Inline): string {
  if (inline.kind === 'text') return inline.text;
  if (inline.kind === 'link') return inline.label;
  return 'children' in inline ? inline.children.map(plainInline).join('') : '';
}

describe('mrkdwn', () => {
  test('has bold, italic, strike and code', () => {
    expect(inlines('*b* _i_ ~s~ `c`')).toEqual([
      { kind: 'bold', children: [text('b')] },
      text(' '),
      { kind: 'italic', children: [text('i')] },
      text(' '),
      { kind: 'strike', children: [text('s')] },
      text(' '),
      { kind: 'code', children: [text('c')] },
    ]);
  });

  test.each(['snake_case_word', '2*3*4', 'a * b * c', '~ not ~', 'a:b:c d'])('leaves %s as it is', (source) => {
    expect(inlines(source).every(({ kind }) => kind === 'text' || kind === 'emoji')).toBe(true);
  });

  test('shows escaped markup as text', () => {
    expect(inlines('&lt;!channel&gt; &amp;lt; &lt;https://evil.test|x&gt;')).toEqual([
      text('<!channel> &lt; <https://evil.test|x>'),
    ]);
  });

  test('has links with and without a label', () => {
    expect(inlines('<https://a.test/?b=1&amp;c=2|see *it*> <mailto:a@b.test>')).toEqual([
      { kind: 'link', url: 'https://a.test/?b=1&c=2', label: 'see *it*' },
      text(' '),
      { kind: 'link', url: 'mailto:a@b.test', label: 'a@b.test' },
    ]);
  });

  test('has mentions of people, channels, groups and everybody', () => {
    expect(inlines('<@U0ANN><#C0ONCALL|oncall><!subteam^S0ONCALL|@oncall><!here>')).toEqual([
      { kind: 'user', id: 'U0ANN', label: '' },
      { kind: 'channel', id: 'C0ONCALL', label: 'oncall' },
      { kind: 'usergroup', id: 'S0ONCALL', label: '@oncall' },
      { kind: 'broadcast', range: 'here' },
    ]);
  });

  test('reproduces any escaped text without markup', () => {
    const harmless = fc.stringMatching(/^[a-z0-9 <&.,#"'()[\]{}]*$/).map((value) => value.replaceAll('\n', ' '));
    fc.assert(
      fc.property(harmless, (value) => {
        const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        expect(plain(parseMrkdwn(escaped))).toBe(value);
      }),
    );
  });

  test('terminates on any input, and makes no link or mention from escaped angle brackets', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('*', '_', '`', '&lt;', '&gt;', '!', '@', '|', 'x', ' ', '\n') }),
        (value) => {
          const kinds = inlines(value).map(({ kind }) => kind);
          expect(kinds).not.toContain('link');
          expect(kinds).not.toContain('broadcast');
        },
      ),
    );
  });
});
