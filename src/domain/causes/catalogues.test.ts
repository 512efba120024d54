import { describe, expect, test } from 'vitest';
import { CATALOGUES } from './catalogues.ts';
import { type Catalogue, type CatalogueEntry, listed, type Scope } from './entry.ts';
import { explainCause } from './explain-cause.ts';

const ALL = CATALOGUES.flatMap((catalogue) => catalogue.entries.map((entry) => ({ catalogue, entry })));

/** Returns a provider and channel that a catalog covers. */
function subjectOf(scope: Scope): { provider: string | null; channel: string } {
  if (scope === 'any') return { provider: null, channel: 'in_app' };
  return 'providers' in scope ? { provider: scope.providers[0] ?? null, channel: 'sms' } : { provider: null, ...scope };
}

function idsOf({ scope }: Catalogue): readonly string[] {
  if (scope === 'any') return ['any'];
  return 'providers' in scope ? scope.providers : [scope.channel];
}

/** Returns the forms in which a provider writes a code and the service passes it on. */
function textsWith(words: string, { codes }: Catalogue, having = ''): string[] {
  const [, field, value = words] = /^([a-z]+)=(.+)$/.exec(words) ?? [];
  const beside = having === '' ? 'It went wrong' : `It went wrong, ${having}`;
  if (field === 'smtp') return [`${value} ${beside}`, `smtp; ${value} ${beside}`];
  if (field !== undefined) return [];
  if (/^[245]\.\d+\.\d+$/.test(value))
    return [`550 ${value} ${beside}`, `smtp; 550 ${value} ${beside}`, `${value} ${beside}`];
  if (codes === 'network') return [`connect ${value} 10.0.0.1:587`, `It went wrong (${value})`].slice(0, 1);
  return [`${beside} (${value})`, `${beside}, code: ${value}`];
}

function explained(text: string, { scope }: Catalogue, raw: string | null = null) {
  const found = explainCause({ ...subjectOf(scope), text, raw });
  return found.known ? found.entry.meaning : null;
}

describe('the catalog of causes', () => {
  test('has 300 entries or more', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(300);
  });

  test("links each entry to one of its provider's pages, by https", () => {
    const wrong = ALL.filter(({ catalogue, entry }) => {
      const { protocol, hostname } = new URL(entry.source);
      return protocol !== 'https:' || !catalogue.hosts.includes(hostname);
    });
    expect(wrong.map(({ entry }) => entry.source)).toEqual([]);
  });

  test('has no two entries for the same code or text', () => {
    const claims = ALL.flatMap(({ catalogue, entry }) =>
      idsOf(catalogue).flatMap((id) => claimsOf(entry).map((claim) => `${id} ${claim}`)),
    );
    expect(claims.filter((claim, at) => claims.indexOf(claim) !== at)).toEqual([]);
  });

  test('requires the field name for a code of one or two digits', () => {
    expect(ALL.flatMap(({ entry }) => listed(entry.code)).filter((code) => /^\d{1,2}$/.test(code))).toEqual([]);
  });

  test('matches phrases of two words or more', () => {
    expect(ALL.flatMap(({ entry }) => listed(entry.text)).filter((text) => !/\S\s\S/.test(text))).toEqual([]);
  });

  test('finds each entry by each of its texts', () => {
    const lost = ALL.flatMap(({ catalogue, entry }) =>
      listed(entry.text)
        .filter((text) => explained(`${text} (x)`, catalogue) !== entry.meaning)
        .map((text) => `${text}: ${explained(text, catalogue)}`),
    );
    expect(lost).toEqual([]);
  });

  test('finds each entry by each of its codes, as providers write them', () => {
    const lost = ALL.flatMap(({ catalogue, entry }) =>
      listed(entry.code).flatMap((code) =>
        listedOr(entry.having, '')
          .flatMap((phrase) => textsWith(code, catalogue, phrase))
          .filter((text) => explained(text, catalogue) !== entry.meaning)
          .map((text) => `${text}: ${explained(text, catalogue)}`),
      ),
    );
    expect(lost).toEqual([]);
  });

  test('finds each code of a named field in a whole response', () => {
    const lost = ALL.flatMap(({ catalogue, entry }) =>
      listed(entry.code).flatMap((words) => {
        const [, field, value] = /^([a-z]+)=(.+)$/.exec(words) ?? [];
        if (field === undefined || field === 'smtp') return [];
        const text = `It went wrong ${listed(entry.having)[0] ?? ''}`;
        const found = explained(text, catalogue, JSON.stringify({ [field]: value }));
        return found === entry.meaning ? [] : [`${words}: ${found}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test('uses short sentences throughout', () => {
    const long = ALL.filter(({ entry }) => entry.meaning.length > 180 || entry.next.length > 200);
    expect(long.map(({ entry }) => entry.meaning)).toEqual([]);
    expect(ALL.filter(({ entry }) => entry.meaning.endsWith('.') || !entry.next.endsWith('.'))).toEqual([]);
  });
});

function claimsOf({ code, text, having }: CatalogueEntry<string>): string[] {
  const codes = listed(code).flatMap((one) => listedOr(having, '').map((phrase) => `${one.toLowerCase()} ${phrase}`));
  return [...codes, ...listed(text).map((one) => `“${one}”`)];
}

function listedOr(some: string | readonly string[] | undefined, none: string): readonly string[] {
  return some === undefined ? [none] : listed(some);
}
