import fc from 'fast-check';
import sentences from './sentences.json' with { type: 'json' };

/** An ID that is a contact, with the part that identifies the person: the local part of the address, or the digits of the number. */
export interface ContactId {
  id: string;
  core: string;
}

const LOCAL = "abcdefgAZ0189._-äßéłж&!'".split('');
const DIGIT = '23456789'.split('');

export const aContact = (): fc.Arbitrary<ContactId> => fc.oneof(anAddress(), aNumber());

export function reveals(markup: string, { core }: ContactId): boolean {
  const text = markup.replaceAll('&amp;', '&');
  return text.includes(core) || (/^\d+$/.test(core) && text.replace(/[\s().+-]/g, '').includes(core));
}

function anAddress(): fc.Arbitrary<ContactId> {
  return fc
    .record({
      first: fc.constantFrom('a', 'Z', 'ж', '7'),
      local: textOf(LOCAL, 4, 12),
      last: fc.constantFrom('x', 'Q', '9'),
      tag: fc.constantFrom('', '+alerts', '+1'),
      at: fc.constantFrom('@', ' @ ', '@\u200b', '%40', '＠'),
      host: fc.constantFrom('example.com', 'Mail.Example.COM', 'exämple.org', 'xn--exmple-cua.org', 'a.b.co.uk'),
      before: fc.constantFrom('', 'user:', 'order/17/', ' ', 'Anna <'),
      after: fc.constantFrom('', ':2', '/eu', ' ', '>'),
    })
    .map(({ first, local, last, tag, at, host, before, after }) => {
      const core = `${first}${local}${last}`;
      return { core, id: `${before}${core}${tag}${at}${host}${after}` };
    });
}

function aNumber(): fc.Arbitrary<ContactId> {
  return fc
    .record({
      digits: textOf(DIGIT, 10, 10),
      notation: fc.constantFrom(
        (d: string) => `+49${d}`,
        (d: string) => `+49 ${d.slice(0, 3)} ${d.slice(3)}`,
        (d: string) => `+49 (${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`,
        (d: string) => `0049${d}`,
        (d: string) => `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`,
        (d: string) => `${d.slice(0, 3)}.${d.slice(3, 6)}.${d.slice(6)}`,
        (d: string) => `user_+49${d}`,
        (d: string) => `%2B49${d}`,
      ),
    })
    .map(({ digits, notation }) => ({ id: notation(digits), core: digits }));
}

/** A phone number as a country's people, networks or programs write it, with the digits that identify the person. */
export const aPhone: fc.Arbitrary<{ text: string; national: string }> = fc
  .record({
    country: fc.constantFrom(
      ...'1 7 20 27 30 31 33 34 39 44 49 52 55 61 65 81 82 86 91 98 212 234 351 358 380 420 852 966 971 972'.split(' '),
    ),
    first: fc.constantFrom(...'3456789'),
    rest: textOf('0123456789'.split(''), 7, 9),
    groups: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 5, maxLength: 5 }),
    separator: fc.constantFrom(' ', '-', '\u00a0', '\u2011', ' - ', '/'),
    // `c` is the country, `{}` are the digits, and `_` are the digits in groups.
    form: fc.constantFrom(
      '{}',
      '+c{}',
      'c{}',
      '00c{}',
      '+c _',
      'c _',
      '0_',
      '(0)_',
      '+c (0) _',
      '(c) _',
      '%2Bc{}',
      '8 _',
    ),
    zero: fc.constantFrom(0x30, 0x30, 0x30, 0xff10, 0x660, 0x6f0, 0x966, 0xe50),
  })
  .map(({ country, first, rest, groups, separator, form, zero }) => {
    // A North American number has ten digits.
    const national = `${first}${country === '1' ? rest.padEnd(9, '5') : rest}`;
    const pattern = new RegExp(groups.map((length) => `(\\d{0,${length}})`).join(''));
    const grouped =
      pattern
        .exec(national)
        ?.slice(1)
        .filter((group) => group !== '')
        .join(separator)
        .replace(/\D+(\d)$/, '$1') ?? '';
    const text = form.replace('c', country).replace('{}', national).replace('_', grouped);
    const inScript = (digit: string) => String.fromCharCode(zero + Number(digit));
    return { national, text: form.startsWith('%') ? text : text.replace(/\d/g, inScript) };
  });

/** Sentences about the text that they are given. */
export const IN_TWELVE_LANGUAGES = sentences.map((words) => (text: string) => words.replace('_', () => text));

function textOf(characters: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((parts) => parts.join(''));
}
