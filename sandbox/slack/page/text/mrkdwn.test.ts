import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Inline, parseMrkdwn } from './mrkdwn.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });
const inlines = (source: string): readonly Inline[] => parseMrkdwn(source).flatMap(({ children }) => children);

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
