import { describe, expect, test } from 'vitest';
import { causeOf } from '../judging/cause.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { CATALOG } from './catalog.ts';
import { explainCause } from './explain-cause.ts';
import type { KnownCause } from './load-causes.ts';

/** The entry that explains a text which a provider of `cause` says on its channel. */
function entryFor(text: string, { providers, channel }: KnownCause, provider = providers[0] ?? null) {
  return explainCause({ provider, channel: channel ?? 'in_app', cause: { text } }).entry;
}

const textOf = (answer: object | string) => {
  const raw = new FreeText(typeof answer === 'string' ? answer : JSON.stringify(answer));
  return causeOf({ detail: new FreeText('Unexpected provider error'), raw }).text;
};

/** What providers and mail servers answer where they mean a code, beside a phrase. */
function answersWith(code: string, phrase: string, { kind }: KnownCause): (object | string)[] {
  const beside = phrase === '' ? 'Refused' : `Refused: ${phrase}`;
  const [, field = '', value = code] = /^([A-Za-z]+)=(.+)$/.exec(code) ?? [];
  const reply = (command: string, response: string) => ({ code: 'EENVELOPE', response, command });
  if (field === 'command') return [reply(value.toUpperCase(), `550 ${beside}`), `550 ${beside} (in reply to ${value})`];
  if (field === 'smtp') return [reply('RCPT TO', `${value} ${beside}`)];
  if (kind === 'smtp' && /^[245]\.\d+\.[\d*]+$/.test(value)) {
    const status = value.replace('*', '998');
    return [reply('RCPT TO', `${value.charAt(0)}50 ${status} ${beside}`), { message: beside, status }];
  }
  if (kind === 'network') return [{ code: value, message: `connect ${value} 10.0.0.1:587. ${beside}` }];
  const fields = field === '' ? ['code', 'name', 'error', 'reject_reason', 'status', 'reason', '__type'] : [field];
  const answers = fields.flatMap((name) => [{ [name]: value }, { message: beside, [name]: value }]);
  const withStatus = { message: beside, code: value, statusCode: 422 };
  return [...answers, withStatus, value, `(#${value}) ${beside}`, `${beside}, ${field || 'error code'}: ${value}`];
}

/** Texts that have a phrase of each group of a pattern: its first ones, its second ones, and so on. */
function textsWith(pattern: string, { kind }: KnownCause): string[] {
  const groups = pattern.split(' ').map((group) => group.replaceAll(/[*_]/g, ' ').split('|'));
  const nth = (n: number) => groups.map((phrases) => phrases[n % phrases.length]?.trim()).join(' ');
  return Array.from({ length: 12 }, (_, n) => `${kind === 'smtp' ? '550 ' : ''}${nth(n)}`);
}

const firstWords = (pattern: string) => pattern.replace(/\|\S*|\*/g, '').replaceAll('_', ' ');
const orNone = (some: readonly string[]) => (some.length === 0 ? [''] : some);

/** A code, a text or words of an entry, and answers that have it. */
interface Evidence {
  what: string;
  answers: readonly (object | string)[];
}

function evidenceOf(cause: KnownCause): Evidence[] {
  const { codes, texts, patterns } = cause;
  const byText = texts.map((text) => ({ what: text, answers: [`${text} (x)`, `${text}: x`] }));
  if (codes.length === 0)
    return [...byText, ...patterns.map((pattern) => ({ what: pattern, answers: textsWith(pattern, cause) }))];
  // Words count only beside a code.
  const phrases = orNone(patterns.map(firstWords));
  const byCode = codes.flatMap((code) =>
    phrases.map((phrase) => ({ what: code, answers: answersWith(code, phrase, cause) })),
  );
  return [...byText, ...byCode];
}

/** Text of a provider whose own code outranks whatever else is said. */
const TWILIO = { provider: 'twilio', code: ' (21211)' };

describe('the catalog of causes', () => {
  test('has no code, text or words that no answer reaches', () => {
    const lost = CATALOG.flatMap((cause) => {
      const reaches = (answer: object | string) => entryFor(textOf(answer), cause)?.meaning === cause.meaning;
      return evidenceOf(cause)
        .filter(({ answers }) => !answers.some(reaches))
        .map(({ what, answers }) => `${cause.headline}: ${what}: ${answers.slice(0, 2).map(textOf).join(' | ')}`);
    });
    expect(lost).toEqual([]);
  });

  test('has no entry that loses an example of its own, or wins one of another', () => {
    const wrong = CATALOG.flatMap((cause) => {
      const meaningOf = (text: string) => entryFor(text, cause)?.meaning ?? null;
      return [
        ...cause.wins
          .filter((text) => meaningOf(text) !== cause.meaning)
          .map((text) => `${cause.headline}, lost: ${text}`),
        ...cause.loses
          .filter((text) => [cause.meaning, null].includes(meaningOf(text)))
          .map((text) => `${cause.headline}, won: ${text}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test('lets no entry of a provider explain another’s errors, and none for all outrank a provider’s own code', () => {
    const tooStrong = CATALOG.flatMap((cause) => {
      const isForAll = cause.providers.length === 0;
      const texts = [...cause.texts, ...cause.wins, ...cause.codes.map((code) => `Refused (${code})`)];
      return texts
        .filter((text) => isForAll || !cause.providers.some((id) => text.toLowerCase().includes(id)))
        .map((text) => (isForAll ? `${text}${TWILIO.code}` : text))
        .filter((text) => entryFor(text, cause, isForAll ? TWILIO.provider : 'acme') === cause);
    });
    expect(tooStrong).toEqual([]);
  });

  test('has for words an example that they explain and one that they don’t', () => {
    const words = CATALOG.filter(({ codes, patterns }) => codes.length === 0 && patterns.length > 0);
    const bare = words.filter(({ wins, loses }) => wins.length === 0 || loses.length === 0);
    expect(bare.map(({ headline, patterns }) => `${headline}: ${patterns[0]}`)).toEqual([]);
  });

  test('gives what is one cause one headline and one owner', () => {
    const named = CATALOG.map(({ meaning, headline, whose }) => [meaning, `${headline} ${whose}`] as const);
    const first = new Map(named.toReversed());
    expect(named.filter(([meaning, name]) => first.get(meaning) !== name)).toEqual([]);
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

  test('links to a vendor’s page only where the error is the vendor’s', () => {
    const neutral =
      /^https:\/\/(?:www\.rfc-editor\.org|www\.iana\.org|nodejs\.org|man7\.org|docs\.openssl\.org|smpp\.org)\//;
    // Of software between us and a provider, of the service itself, and of gateways whose code names them.
    const named =
      /^https:\/\/(?:nodemailer\.com|axios-http\.com|www\.postfix\.org|www\.envoyproxy\.io|developers\.cloudflare\.com|docs\.novu\.co|github\.com\/novuhq|help\.aliyun\.com|cloud\.tencent\.com|developer\.huawei\.com)\//;
    const foreign = CATALOG.filter(({ providers, source, meaning, next, patterns }) => {
      if (providers.length > 0 || source === null || neutral.test(source) || named.test(source)) return false;
      const vendor = source.includes('microsoft') ? /Microsoft|Exchange|Teams|smtpclientauthentication/ : /Orange/;
      return !vendor.test(`${meaning} ${next} ${patterns.join()}`);
    });
    expect(foreign.map(({ meaning, source }) => `${meaning}: ${source}`)).toEqual([]);
  });

  test('gives each entry of a provider a source, and each entry a kind', () => {
    expect(
      CATALOG.filter(({ source, providers, kind }) => (providers.length > 0 && source === null) || kind === 'any'),
    ).toEqual([]);
  });
});
