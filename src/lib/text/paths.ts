import { withoutEchoes } from './echoes.ts';
import { maskedField } from './field-values.ts';
import { fieldKind, isSentenceField } from './fields.ts';
import { LETTER_OR_DIGIT } from './letters.ts';
import { MASK, passesFor, passOf, type TextPass } from './mask.ts';
import { tokenKind } from './tokens.ts';

/** `/customers/jane-roe/channels?x=1`: each name in it can be a person's. */
const PATH = new RegExp(`(?<![${LETTER_OR_DIGIT}.…/:*•])\\/(?![/\\s])[^\\s"'<>()[\\]{},;|]*`, 'g');

/** Shows of an address' path what the vocabulary has, as versions and numbers of rows. */
const withoutPathNames = passOf(PATH, (path) => {
  const [names = ''] = path.split(/[?#]/, 1);
  const shown = names.split('/').map((name) => (name === '' || name.startsWith(':') || isPlain(name) ? name : MASK));
  return `${shown.join('/')}${names.length < path.length ? '/…' : ''}`;
});

const isPlain = (name: string) => !/\d{5}/.test(name) && tokenKind(name.replace(/[.,:]+$/, '')) !== 'unknown';

const ELEMENT = /(<(?:[\w.-]{0,40}:)?([\w.-]{1,60})(?:\s[^<>]{0,300})?>)([^<>]+)(?=<\/)/g;

/** In XML, the element names what it holds. */
const withoutElements = passOf(ELEMENT, (all, start, name, value) => {
  const kind = fieldKind(name);
  const masked = kind === null ? null : maskedField(kind, value);
  return masked !== null ? `${start}${masked}` : isSentenceField(name) ? all : `${start}${withoutEchoes(value, true)}`;
});

export const PATH_PASSES: readonly TextPass[] = [
  passesFor(/\//, [withoutPathNames]),
  passesFor(/<\//, [withoutElements]),
];
