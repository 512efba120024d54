import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrubEcho } from './scrub.ts';

/** A name that no vocabulary has. */
const name = fc.stringMatching(/^[A-Z][aeiou][qxz][aeiou][qxz][aeiou][bdg]$/);
const said = fc.constantFrom(
  '',
  '550 5.1.1',
  'Invalid parameter',
  'Message rejected by policy',
  'Unknown error',
  '400',
);
const SENTENCES: readonly ((name: string) => string)[] = [
  ...['"', "'", '`', '\\"'].map((quote) => (said: string) => `value ${quote}${said}${quote}`),
  ...['“”', '„“', '«»', '»«', '‹›', '「」', '()', '[]', '{}', '<>'].map(
    ([open, close]) =>
      (said: string) =>
        `for ${open}${said}${close}`,
  ),
  ...['recipient: ', 'value=', 'reason=not allowed: ', 'to => ', 'user ', 'recipient ', 'Empfänger ', 'username @'].map(
    (label) => (said: string) => `${label}${said}`,
  ),
  (said) => `Dear ${said}, your order was rejected`,
  (said) => `text too long: Hi! Your parcel for ${said} is there`,
  (said) => `out of office. Best regards, ${said}`,
  (said) => `variable amount=${said} is invalid`,
  (said) => `<Send><Body>${said}</Body><Code>17</Code></Send>`,
  (said) => `X-Subject=${said}; verdict=reject`,
  (said) => `Mrs. ${said} was not found`,
  (said) => `${said} has left the company`,
  (said) => `GET /contacts/${said}/devices failed`,
  (said) => `{"body":"${said} was not delivered","cut`,
  (said) => `subject=${said}+order&status=failed`,
  (said) => `<firstName>${said}</firstName>`,
];
const FIELDS = ['subject', 'body', 'text', 'html', 'template_data', 'first_name', 'displayName', 'city', 'name', 'to'];

const sentence = fc.tuple(fc.constantFrom(...SENTENCES), name).map(([written, echo]) => [written(echo), echo] as const);
const json = fc
  .tuple(fc.constantFrom(...FIELDS), name, fc.boolean())
  .map(([field, echo, isDeep]) => [{ code: 17, [field]: isDeep ? { value: echo } : `Is ${echo} ok` }, echo] as const)
  .map(([answer, echo]) => [JSON.stringify({ message: 'Invalid request', error: answer }), echo] as const);

test('a name is masked in whatever structure a provider echoes it', () => {
  fc.assert(
    fc.property(said, fc.oneof(sentence, json), said, (before, [echoing, echo], after) => {
      for (const text of [`${before} ${echoing} ${after}`, echoing, JSON.stringify({ errors: [{ detail: echoing }] })])
        expect(scrubEcho(text)).not.toContain(echo);
    }),
  );
});

test('masking again changes nothing, whatever the text is', () => {
  const part = fc.oneof(sentence, json).map(([echoing]) => echoing);
  const text = fc.array(fc.oneof(part, fc.string(), fc.json(), said), { maxLength: 4 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(text, (original) => {
      const once = scrubEcho(original);
      expect(scrubEcho(once)).toBe(once);
    }),
  );
});
