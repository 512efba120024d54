import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FreeText } from '../lib/text/scrub.ts';
import cases from './cause.cases.json' with { type: 'json' };
import { causeOf, sentenceIn } from './cause.ts';

function cause(detail: string, raw: string | object | null = null) {
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  return causeOf({ detail: new FreeText(detail), raw: raw === null ? null : new FreeText(text) });
}

const PROVIDER_ERROR = 'Unexpected provider error';

function sendGrid(message: string, code: number, title = 'Unauthorized') {
  return {
    code,
    message: title,
    response: { headers: { server: 'nginx' }, body: { errors: [{ message, field: null, help: null }] } },
  };
}

describe("a cause's text", () => {
  test.each(cases.texts)('comes from %s', (...[, detail, raw, text]) => {
    expect(cause(String(detail), raw).text).toBe(text);
  });

  test('has up to 200 characters, and is cut after a whole word or character', () => {
    expect(cause('x'.repeat(200)).text).toBe('x'.repeat(200));
    expect(cause(PROVIDER_ERROR, { message: 'x'.repeat(300), code: 21211 }).text).toMatch(/^x{191}… \(21211\)$/);
    expect(cause(`${'x'.repeat(198)} yyy`).text).toBe(`${'x'.repeat(198)}…`);
    expect(cause(`${'x'.repeat(198)}🎉🎉`).text).toBe(`${'x'.repeat(198)}…`);
  });

  test('keeps the start of a long error whose end is an HTTP status, which is no reply of a mail server', () => {
    const raw = `The proxy ${'refused the connection '.repeat(9)}(tunnel connection failed: 403 Forbidden)`;
    expect(cause(PROVIDER_ERROR, raw).text).toMatch(/^The proxy refused/);
  });

  test('is found in truncated JSON', () => {
    const raw = { ...sendGrid('Maximum credits exceeded', 401), request: 'padding '.repeat(1_000) };
    expect(cause(PROVIDER_ERROR, raw).text).toBe('Maximum credits exceeded (401)');
  });

  test('has at most 200 characters, no secret and a key, for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.string(), fc.json()), (detail, raw) => {
        const { text, key } = cause(detail, `${raw} anna.schmidt@example.com`);
        expect(text.length).toBeLessThanOrEqual(200);
        expect(text + key).not.toContain('anna.schmidt');
        expect(key.length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe("a cause's key", () => {
  test.each(cases.same)('is the same for %s', (...[, a, b]) => {
    expect(cause(PROVIDER_ERROR, a).key).toBe(cause(PROVIDER_ERROR, b).key);
  });

  test.each(cases.different)('differs for %s', (...[, a, b]) => {
    expect(cause(PROVIDER_ERROR, a).key).not.toBe(cause(PROVIDER_ERROR, b).key);
  });

  test('has at most 200 characters, and its code', () => {
    expect(cause('word '.repeat(100)).key).toHaveLength(200);
    expect(cause(PROVIDER_ERROR, { message: 'word '.repeat(100), code: 21211 }).key).toMatch(/^.{200} \(21211\)$/);
  });
});

test.each([
  ['{"message":"Unauthorized","code":401,"headers":{"Authorization":"Bearer abc"}}', 'Unauthorized (401)'],
  ['Mailbox full', 'Mailbox full'],
])("an error text's sentence is found in %s", (text, sentence) => {
  expect(sentenceIn(new FreeText(text))).toBe(sentence);
});
