import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { causeOf, sentenceIn } from './cause.ts';

const REQUEST_FIELDS = ['config', 'request', 'data', 'body', 'text', 'payload', 'headers', 'Config', 'DATA'];
const PLANTED = 'Hi Ann, your salary was paid';
const SENTENCE_FIELDS = ['message', 'error', 'reason', 'detail', 'title', 'description', 'errors', 'response', 'code'];

/** The planted text as a request holds it: alone, in fields that would be a sentence of an answer, or as JSON in a text. */
const planted = fc.letrec<{ value: unknown; inner: unknown }>((tie) => ({
  inner: fc.oneof(
    fc.constant(PLANTED),
    fc.tuple(fc.constantFrom(...SENTENCE_FIELDS), tie('value')).map(([name, value]) => ({ [name]: value })),
    fc.constantFrom('message', 'title', 'body', 'text').map((name) => ({ code: 553311, [name]: PLANTED })),
    tie('value').map((value) => [value]),
  ),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(PLANTED),
    tie('inner'),
    tie('inner').map((value) => JSON.stringify(value)),
  ),
})).value;

/** An error with a request in it: as JSON, as JSON that was cut off, and as Node prints it. */
const answers = fc
  .record({
    said: fc.constantFrom({}, { message: 'Request failed with status code 410' }, { message: 'Mailbox full' }),
    field: fc.constantFrom(...REQUEST_FIELDS),
    planted,
    place: fc.constantFrom('top', 'error', 'list', 'response'),
    isRequestFirst: fc.boolean(),
    cutLength: fc.integer({ min: 20, max: 400 }),
  })
  .map(({ said, field, planted: value, place, isRequestFirst, cutLength }) => {
    const request = {
      top: { [field]: value },
      error: { error: { [field]: { data: value } } },
      list: { errors: [{ [field]: value }] },
      response: { response: { config: { data: value } } },
    }[place];
    const json = JSON.stringify(isRequestFirst ? { ...request, ...said } : { ...said, ...request });
    return { json, cut: json.slice(0, cutLength), printed: inspect(JSON.parse(json), { depth: 9 }) };
  });

test("no text in a request's fields becomes a cause or a message", () => {
  fc.assert(
    fc.property(
      answers,
      fc.constantFrom('', 'Unexpected provider error', 'Bridge execution failed'),
      (sent, detail) => {
        for (const text of [sent.json, sent.cut, sent.printed, `Error: Gone\n    at send (/app.js) ${sent.printed}`]) {
          const raw = new FreeText(text);
          const inRaw = causeOf({ detail: new FreeText(detail), raw });
          const inDetail = causeOf({ detail: raw, raw: null });
          const explained = explainCause({ provider: 'slack', channel: 'chat', cause: inRaw });
          const shown = JSON.stringify([inRaw, inDetail, sentenceIn(raw), explained]).toLowerCase();
          expect(shown).not.toContain('hi ann');
        }
      },
    ),
    { numRuns: 200 },
  );
});

describe('an HTTP error that carries its request', () => {
  const request = { config: { url: 'https://hooks.example.com', data: JSON.stringify({ text: PLANTED }) } };

  test.each<[what: string, raw: string, text: string]>([
    ['as JSON', JSON.stringify({ message: 'Gone for good', ...request, status: 410 }), 'Gone for good (410)'],
    ['as JSON without a sentence', JSON.stringify({ ...request, status: 410 }), 'Unexpected provider error (410)'],
    ['as a form', JSON.stringify({ text: [PLANTED] }), 'Unexpected provider error'],
    ['as old Node prints it', `{ [Error: Gone] code: 'EX', data: '${PLANTED}' }`, 'Gone'],
    ['in a sentence', `Gone for good, data: "${PLANTED}"`, 'Gone for good'],
    ['printed as an object', `{ message: 'Gone', config: { data: '${PLANTED}' } }`, 'Gone'],
    ['with the answer', JSON.stringify({ response: { ...request, data: { error: 'No such hook' } } }), 'No such hook'],
    ['with a truncated answer', `{"response":{"body":{"message":"No such hook","x":"`, 'No such hook'],
  ])('has the cause of its answer: %s', (_, raw, text) => {
    const detail = new FreeText('Unexpected provider error');
    expect(causeOf({ detail, raw: new FreeText(raw) }).text).toBe(text);
  });
});
