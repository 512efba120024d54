import { describe, expect, test } from 'vitest';
import { CATALOG } from './catalog.ts';
import { explainCause } from './explain-cause.ts';
import type { KnownCause } from './load-causes.ts';

function explained(text: string, { providers, channel }: KnownCause): string {
  const found = explainCause({ provider: providers[0] ?? null, channel: channel ?? 'in_app', cause: { text } });
  return found.entry?.meaning ?? 'unknown';
}

function textsWith(code: string, phrase: string, { kind }: KnownCause): string[] {
  const beside = phrase === '' ? 'Refused' : `Refused: ${phrase}`;
  const [, field, value = code] = /^([a-z]+)=(.+)$/.exec(code) ?? [];
  if (field === 'command') return [`550 ${beside} (in reply to ${value.toUpperCase()})`];
  if (field === 'smtp') return [`${value} ${beside}`, `smtp; ${value} ${beside}`];
  if (field !== undefined) return [`${beside} (${field}=${value})`];
  if (value.endsWith('.*')) return [`550 ${value.replace('*', '998')} ${beside}`];
  if (/^[245]\.\d+\.\d+$/.test(value)) return [`${value} ${beside}`, `smtp; 500 ${value} ${beside}`];
  return kind === 'network' ? [`connect ${value} 10.0.0.1:587. ${beside}`] : [`${beside} (${value})`];
}

const firstWords = (pattern: string) => pattern.replace(/\|\S*|\*/g, '').replaceAll('_', ' ');
const orNone = (some: readonly string[]) => (some.length === 0 ? [''] : some);

describe('the catalog of causes', () => {
  test('finds each entry by each of its texts', () => {
    const lost = CATALOG.flatMap((cause) =>
      cause.texts.filter((text) => explained(`${text} (x)`, cause) !== cause.meaning),
    );
    expect(lost).toEqual([]);
  });

  test('finds each entry by each of its codes, beside each of its phrases', () => {
    const lost = CATALOG.flatMap((cause) =>
      cause.codes
        .flatMap((code) => orNone(cause.patterns.map(firstWords)).flatMap((phrase) => textsWith(code, phrase, cause)))
        .filter((text) => explained(text, cause) !== cause.meaning)
        .map((text) => `${text}: ${explained(text, cause)}`),
    );
    expect(lost).toEqual([]);
  });

  test('finds each entry by the first words of each of its patterns', () => {
    const lost = CATALOG.filter(({ codes }) => codes.length === 0).flatMap((cause) =>
      cause.patterns
        .map((pattern) => `550 ${firstWords(pattern)}`)
        .filter((text) => explained(text, cause) !== cause.meaning)
        .map((text) => `${text}: ${explained(text, cause)}`),
    );
    expect(lost).toEqual([]);
  });

  test("takes a mail server's reply for the recipient's only by a status that is about them", () => {
    const status = /^[45]\.(?:1\.(?:[1-6]|10)|2\.\d+|7\.1[78])$|^(?:smtp=)?556$/;
    const others = CATALOG.filter(({ kind, whose }) => kind === 'smtp' && whose === 'recipient');
    expect(others.flatMap(({ codes }) => codes).filter((code) => !status.test(code))).toEqual([]);
  });

  test("advises nobody to correct the subscriber's address or number unless they own the problem", () => {
    const others = CATALOG.filter(
      ({ whose, next }) => whose !== 'recipient' && next.startsWith('Correct the subscriber'),
    );
    expect(others.map(({ meaning }) => meaning)).toEqual([]);
  });

  test('has no two entries for the same code or text', () => {
    const claims = CATALOG.flatMap((cause) => {
      const scopes = cause.providers.length > 0 ? cause.providers : [cause.channel ?? 'any'];
      const codes = cause.codes.flatMap((code) => orNone(cause.patterns).map((phrase) => `${code} ${phrase}`));
      const all = [...codes, ...cause.texts.map((text) => `“${text}”`)];
      return scopes.flatMap((scope) => all.map((claim) => `${scope} ${claim.toLowerCase()}`));
    });
    expect(claims.filter((claim, at) => claims.indexOf(claim) !== at)).toEqual([]);
  });

  test('requires the field name for a code of one or two digits', () => {
    expect(CATALOG.flatMap(({ codes }) => codes).filter((code) => /^\d{1,2}$/.test(code))).toEqual([]);
  });

  test('gives each entry a source and a kind', () => {
    expect(CATALOG.filter(({ source, kind }) => source === null || kind === 'any')).toEqual([]);
  });
});
