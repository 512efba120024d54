import { expect, test } from 'vitest';
import { markupIn, textOf, textsWith } from './evidence.ts';

const call = (args: object) => ({ method: 'chat.postMessage', args: { ...args }, at: 0, answer: null });
const blocks = [
  { type: 'section', text: { type: 'mrkdwn', text: 'for <@U0ANN>, not &lt;@U0BEN&gt;' } },
  { type: 'header', text: { type: 'plain_text', text: '<!here>' } },
];

test('markupIn reads the markup of a call, with blocks as JSON or as text', () => {
  const read = ['to ⟨@here⟩', 'for ⟨user U0ANN⟩, not <@U0BEN>'];
  expect(markupIn(call({ text: 'to <!here>', blocks }))).toEqual(read);
  expect(markupIn(call({ text: 'to <!here>', blocks: JSON.stringify(blocks) }))).toEqual(read);
});

test('textOf reads what is sent without being shown', () => {
  expect(textOf(call({ view: JSON.stringify({ private_metadata: 'a "secret"' }) }))).toContain('a \\"secret\\"');
});

test('textsWith finds a secret by its end, and an address by its name', () => {
  const texts = ['…key-8841f0c2d7', 'dana.private@…', '•••@example.com', '77'];
  expect(textsWith(['provider-key-8841f0c2d7', 'dana.private@example.com'], texts)).toEqual(texts.slice(0, 2));
});
