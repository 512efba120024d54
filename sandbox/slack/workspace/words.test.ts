import { describe, expect, test } from 'vitest';
import { wordsOf } from './words.ts';

const plain = (text: string) => ({ type: 'plain_text', text });

describe('wordsOf', () => {
  test('reads a message from its text to the last button', () => {
    const blocks = [
      { type: 'header', text: plain('3 new groups') },
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'at noon' }] }] },
      { type: 'actions', elements: [{ type: 'button', text: plain('Look up') }] },
    ];
    const attachments = [{ blocks: [{ type: 'section', fields: [plain('aside')] }] }];
    const files = [{ id: 'F1', name: 'all.csv', title: 'All', size: 1, mimetype: 'text/csv', altText: null }];
    expect(wordsOf({ text: 'fallback', blocks, attachments, files })).toBe(
      'fallback\n3 new groups\nat noon\nLook up\naside\nall.csv',
    );
  });

  test('reads the title, labels and placeholders of a view', () => {
    const element = { type: 'plain_text_input', placeholder: plain('user-1') };
    const view = { title: plain('Find'), blocks: [{ type: 'input', label: plain('Id'), element }] };
    expect(wordsOf({ id: 'V1', view, starts: {}, errors: {} })).toBe('Find\nId\nuser-1');
  });
});
