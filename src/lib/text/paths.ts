import { ADDRESS_MASKINGS } from './addresses.ts';
import { withoutEchoes } from './echoes.ts';
import { maskedField } from './field-values.ts';
import { fieldKind, isSentenceField } from './fields.ts';
import { LETTER_OR_DIGIT } from './letters.ts';
import { MASK, type Masking, maskingOf, maskingsFor } from './mask.ts';
import { SECRET_MASKINGS } from './secrets.ts';
import { tokenKind } from './tokens.ts';

/** `/customers/jane-roe/channels?x=1`: each name in it can be a person's. */
const PATH = new RegExp(`(?<![${LETTER_OR_DIGIT}.…/:*•])\\/(?![/\\s])[^\\s"'<>()[\\]{},;|]*`, 'g');

/** Shows of an address' path what the vocabulary has, as versions and numbers of rows. */
const withoutPathNames = maskingOf(PATH, (path) => {
  const [names = ''] = path.split(/[?#]/, 1);
  const shown = names.split('/').map((name) => (name === '' || name.startsWith(':') || isPlain(name) ? name : MASK));
  return `${shown.join('/')}${names.length < path.length ? '/…' : ''}`;
});

const isPlain = (name: string) => !/\d{5}/.test(name) && tokenKind(name.replace(/[.,:]+$/, '')) !== 'unknown';

/** Groups: the tag, its name, and the text: `<city>Berlin` */
const ELEMENT = /(<(?:[\w.-]{0,40}:)?([\w.-]{1,60})(?:\s[^<>]{0,300})?>)([^<>]+)(?=<\/)/g;

/** In XML, the element names what it holds. */
const withoutElements = maskingOf(ELEMENT, (all, start, name, value) => {
  const kind = fieldKind(name);
  const masked = kind === null ? null : maskedField(kind, value);
  if (masked !== null) return `${start}${masked}`;
  return isSentenceField(name) ? all : `${start}${withoutEchoes(value, true)}`;
});

export const PATH_MASKINGS: readonly Masking[] = [
  maskingsFor(/\//, [withoutPathNames]),
  maskingsFor(/<\//, [withoutElements]),
];

/** https://acme.example/a, ghcr.io/acme/checkout:1.4.2 */
const WEB_ADDRESS =
  /(?<![a-z0-9+.-])https?:\/\/[^\s"'<>\\]+|(?<![\w./@:•-])(?:(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?\/[^\s"'<>\\]+/gi;
/** Groups: the scheme, the host (without user and password), the path, and what begins a query or fragment. */
const PARTS = /^(https?:\/\/)?(?:[^/?#]*@)?([^/?#]*)([^?#]*)([?#]?)/i;
/** Whoever knows such a path can post, or reaches a person. */
const PRIVATE_PATH = /hook|\/bot\d|\/services\/|\/workflows\/|^(?:wa\.me|hc-ping\.com)\//i;

const SEGMENT_MASKINGS: readonly Masking[] = [...ADDRESS_MASKINGS, ...SECRET_MASKINGS];

/** Characters for private use hold the places of links. */
const HOLDERS = /\ue000(\d+)\ue001/g;
const HOLDER_SIGNS = /[\ue000\ue001]/g;

/** Masks what people type by `mask`, but for the host and path of web addresses. */
export function maskedAroundLinks(text: string, mask: Masking): string {
  const links: string[] = [];
  const held = text.replace(HOLDER_SIGNS, '').replace(WEB_ADDRESS, (address) => {
    links.push(hostAndPath(address));
    return `\ue000${links.length - 1}\ue001`;
  });
  return mask(held).replace(HOLDERS, (_, index) => links[Number(index)] ?? '');
}

function hostAndPath(address: string): string {
  const [, scheme = '', host = '', path = '', more = ''] = PARTS.exec(address) ?? [];
  if (PRIVATE_PATH.test(host + path)) return `${scheme}${host}/…`;
  const segments = path.split('/').map((segment) => SEGMENT_MASKINGS.reduce((masked, mask) => mask(masked), segment));
  return `${scheme}${host}${segments.join('/')}${more === '' ? '' : `${more}…`}`;
}
