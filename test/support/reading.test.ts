import { describe, expect, test } from 'vitest';
import { asRead, wordsOf } from './reading.ts';

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });

describe('asRead', () => {
  test.each([
    ['*production* · `user-1`', 'production · user-1'],
    ['a &lt;b&gt; &amp; c', 'a <b> & c'],
    ['at <!date^1^{time}|12:00 UTC>', 'at 12:00 UTC'],
    ['<!channel> <@U0ANN> <https://a.example|here>', '⟨@channel⟩ ⟨user U0ANN⟩ ⟨here: https://a.example⟩'],
  ])('reads %s', (text, words) => {
    expect(asRead(text)).toBe(words);
  });
});

describe('wordsOf', () => {
  const message = { attachments: [], files: [] };

  test('reads blocks in order, and plain text unchanged', () => {
    const blocks = [
      { type: 'section', text: mrkdwn('*Failed*'), accessory: { type: 'button', text: plain('*Look up*') } },
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '<!here>' }] }] },
    ];
    expect(wordsOf({ ...message, text: 'spoken', blocks })).toBe('Failed\n*Look up*\n<!here>');
  });

  test('reads the text of a message without blocks', () => {
    expect(wordsOf({ ...message, text: '*Failed*', blocks: [] })).toBe('Failed');
  });

  test("reads a file's name after its comment", () => {
    const files = [
      { id: 'F1', name: 'subscribers.csv', title: 'Subscribers', size: 3, mimetype: 'text/csv', altText: null },
    ];
    expect(wordsOf({ ...message, text: 'Here:', blocks: [], files })).toBe('Here:\nsubscribers.csv');
  });

  test('reads a modal, starting with its title', () => {
    const element = { type: 'plain_text_input', placeholder: plain('user-1') };
    const view = { title: plain('Find'), blocks: [{ type: 'input', label: plain('Id'), element }] };
    expect(wordsOf({ id: 'V1', view, starts: {}, errors: {} })).toBe('Find\nId\nuser-1');
  });
});
