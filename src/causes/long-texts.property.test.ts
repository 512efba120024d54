import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { causeOf } from '../judging/cause.ts';
import { cpuMs } from '../lib/cpu.testing.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { explainCause } from './explain-cause.ts';

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The least CPU time: caches that others use meanwhile make it longer. */
function leastMs(act: () => void, times: number) {
  const took = Array.from({ length: times }, () => {
    const begun = cpuMs();
    act();
    return cpuMs() - begun;
  });
  return Math.min(...took);
}

const DETAIL = new FreeText('Unexpected provider error');
const read = (raw: FreeText, provider: string, channel: string) =>
  explainCause({ provider, channel, cause: causeOf({ detail: DETAIL, raw }) });

const PIECE = 20;

test('20,000 texts are explained within two seconds', () => {
  const lines = textOf('../../test/errors/provider-errors.ndjson').trim().split('\n').slice(0, 500);
  const errors = lines.map((line): { raw: string; provider: string; channel: string } => JSON.parse(line));
  const causes = errors.map(({ raw, ...error }) => ({
    ...error,
    cause: causeOf({ detail: DETAIL, raw: new FreeText(raw) }),
  }));
  // Each piece is short enough to have the processor for itself once.
  const pieces = Array.from({ length: causes.length / PIECE }, (_, at) => causes.slice(at * PIECE, (at + 1) * PIECE));
  const ms = pieces.map((piece) =>
    leastMs(() => {
      for (const error of piece) explainCause(error);
    }, 15),
  );
  expect((ms.reduce((sum, each) => sum + each) * 20_000) / causes.length).toBeLessThan(2_000);
});

const MASKINGS = readdirSync(new URL('../lib/text', import.meta.url)).filter((name) => /^[\w-]+\.ts$/.test(name));
const SOURCES = [
  ...['error-codes.ts', 'error-text.ts', '../judging/reason.ts', '../judging/cause.ts'],
  ...MASKINGS.map((name) => `../lib/text/${name}`),
].map(textOf);
const LITERAL = /(?<=[=(,[:!?]\s{1,4}|\()\/(?![*/])((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\[\n])+)\/([gimsu]*)(?=[,;.)\s])/g;
const PATTERNS = SOURCES.flatMap((source) => [...source.matchAll(LITERAL)]).map(
  ([, source = '', flags = '']) => new RegExp(source, flags),
);

const LONG = 8_000;
const piecesOf = (source: string) => source.match(/[\p{L}\p{N}: =#"'`{}().<>@_,;-]{1,9}/gu) ?? ['a'];
const USUAL = [' ', 'a', 'A', '5', '550 ', '5.7.1 ', '{"a":"', '(', '\n', 'code: '];

const repeated = (piece: string) => piece.repeat(LONG).slice(0, LONG);
/** Constants, IDs, hosts and numbers without an end. */
const JOINED = ['A_', 'A1_', 'a-', 'a1-', 'a.', '1.', 'a b ', 'a: ', 'a@'].map((piece): [string] => [repeated(piece)]);

const longTexts = (pieces: readonly string[]) =>
  fc
    .array(fc.constantFrom(...pieces, ...USUAL), { minLength: 1, maxLength: 3 })
    .map((parts) => repeated(parts.join('')));

describe('a long text of what the patterns look for', () => {
  test('slows no pattern down', () => {
    expect(PATTERNS.length).toBeGreaterThan(50);
    const slow = PATTERNS.flatMap((pattern) => {
      const property = fc.property(longTexts(piecesOf(pattern.source)), (text) => {
        // A pattern that goes back over the text always takes far longer, if not for ever: then a part tells.
        return [text.slice(0, 48), text].every((piece) => {
          const search = () => piece.replace(pattern, '');
          return leastMs(search, 1) < 50 || leastMs(search, 3) < 50;
        });
      });
      const { failed, counterexample } = fc.check(property, { numRuns: 25, endOnFailure: true, examples: JOINED });
      return failed ? [`${pattern}: ${counterexample?.[0].slice(0, 40)}`] : [];
    });
    expect(slow).toEqual([]);
  });

  test('is read and explained in time', () => {
    const pieces = PATTERNS.flatMap(({ source }) => piecesOf(source));
    fc.assert(
      fc.property(longTexts(pieces), fc.constantFrom('email', 'sms'), (text, channel) => {
        const raw = new FreeText(text);
        // It's scrubbed once, whoever reads it.
        String(raw);
        expect(leastMs(() => read(raw, 'twilio', channel), 3)).toBeLessThan(100);
      }),
    );
  });
});
