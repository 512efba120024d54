import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrubEcho } from './scrub.ts';

/** A name that no vocabulary has. */
const names = fc.stringMatching(/^[A-Z][aeiou][qxz][aeiou][qxz][aeiou][bdg]$/);
/** What a provider says around an echo. */
const surroundings = fc.constantFrom(
  '',
  '550 5.1.1',
  'Invalid parameter',
  'Message rejected by policy',
  'Unknown error',
  '400',
);
const SENTENCES: readonly ((echo: string) => string)[] = [
  ...['"', "'", '`', '\\"'].map((quote) => (echo: string) => `value ${quote}${echo}${quote}`),
  ...['“”', '„“', '«»', '»«', '‹›', '「」', '()', '[]', '{}', '<>'].map(
    ([open, close]) =>
      (echo: string) =>
        `for ${open}${echo}${close}`,
  ),
  ...['recipient: ', 'value=', 'reason=not allowed: ', 'to => ', 'user ', 'recipient ', 'Empfänger ', 'username @'].map(
    (label) => (echo: string) => `${label}${echo}`,
  ),
  (echo) => `Dear ${echo}, your order was rejected`,
  (echo) => `text too long: Hi! Your parcel for ${echo} is there`,
  (echo) => `out of office. Best regards, ${echo}`,
  (echo) => `variable amount=${echo} is invalid`,
  (echo) => `<Send><Body>${echo}</Body><Code>17</Code></Send>`,
  (echo) => `X-Subject=${echo}; verdict=reject`,
  (echo) => `Mrs. ${echo} was not found`,
  (echo) => `${echo} has left the company`,
  (echo) => `GET /contacts/${echo}/devices failed`,
  (echo) => `{"body":"${echo} was not delivered","cut`,
  (echo) => `subject=${echo}+order&status=failed`,
  (echo) => `<firstName>${echo}</firstName>`,
];
const FIELDS = ['subject', 'body', 'text', 'html', 'template_data', 'first_name', 'displayName', 'city', 'name', 'to'];

const sentence = fc
  .tuple(fc.constantFrom(...SENTENCES), names)
  .map(([written, echo]) => [written(echo), echo] as const);
const json = fc
  .tuple(fc.constantFrom(...FIELDS), names, fc.boolean())
  .map(([field, echo, isDeep]) => [{ code: 17, [field]: isDeep ? { value: echo } : `Is ${echo} ok` }, echo] as const)
  .map(([answer, echo]) => [JSON.stringify({ message: 'Invalid request', error: answer }), echo] as const);

test('a name is masked in whatever structure a provider echoes it', () => {
  fc.assert(
    fc.property(surroundings, fc.oneof(sentence, json), surroundings, (before, [echoing, echo], after) => {
      for (const text of [`${before} ${echoing} ${after}`, echoing, JSON.stringify({ errors: [{ detail: echoing }] })])
        expect(scrubEcho(text)).not.toContain(echo);
    }),
  );
});

test('masking again changes nothing, whatever the text is', () => {
  const part = fc.oneof(sentence, json).map(([echoing]) => echoing);
  const text = fc
    .array(fc.oneof(part, fc.string(), fc.json(), surroundings), { maxLength: 4 })
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(text, (original) => {
      const once = scrubEcho(original);
      expect(scrubEcho(once)).toBe(once);
    }),
  );
});
