import fc from 'fast-check';

/** An ID that is a contact, with the part that identifies the person: the local part of the address, or the digits of the number. */
export interface ContactId {
  id: string;
  core: string;
}

const LOCAL = "abcdefgAZ0189._-äßéłж&!'".split('');
const DIGIT = '23456789'.split('');

export function aContact(): fc.Arbitrary<ContactId> {
  return fc.oneof(anAddress(), aNumber());
}

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

function textOf(characters: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((parts) => parts.join(''));
}
