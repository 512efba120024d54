import { RawJson } from './json-text.ts';
import { MASK, maskPhone } from './mask.ts';
import { isSecretName } from './named-secrets.ts';
import { withoutPhones } from './phones.ts';

/** How a field's value is shown: not at all, as an echo (by its words), as a sentence or as it is. */
export type FieldRole = 'masked' | 'echo' | 'sentence' | 'shown';

export interface ValueRules {
  roleOf(name: string, object: object): FieldRole;
  text(text: string, field: TextField, depth: number): string;
}

export interface TextField {
  name: string;
  role: FieldRole;
}

/** A value's texts cost one a character; each part costs extra. */
const BUDGET = 8_000;
const VALUE_COST = 4;
const TEXT_COST = 40;
export const MAX_DEPTH = 8;

const PHONE_NAME = /phone|mobile|msisdn|whatsapp/i;
const NAME_FIELD = /^(?:name|key|header)$/i;
/** SES quotes a message's headers, axios requests. */
const SENT_FIELD = /^(?:commonHeaders|(?:config|request)\.(?:data|body))$/i;
/** A header's value is the next item, as in Node's `rawHeaders`. */
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{1,60})$/i;

/** A value as JSON, of which each text is shown by its field. */
export function copyByField(value: unknown, rules: ValueRules, depth: number): unknown {
  const copy: Copy = { rules, left: BUDGET };
  return copied(value, copy, depth, { name: '', role: 'sentence' });
}

interface Copy {
  rules: ValueRules;
  left: number;
}

function copied(value: unknown, copy: Copy, depth: number, field: TextField): unknown {
  if (copy.left <= 0) return '…';
  copy.left -= VALUE_COST;
  if (typeof value === 'number' || value instanceof RawJson) {
    const digits = value instanceof RawJson ? value.text : `${value}`;
    return isPhone(field.name, digits) ? maskPhone(digits) : value;
  }
  if (typeof value === 'string') return affordableText(value, copy, depth, field);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return '…';
  if (!Array.isArray(value)) return copiedFields(value, copy, depth + 1, field.name);
  const items = affordable<unknown>(value, '…', copy);
  return items.map((item, index) =>
    typeof item === 'string' && isSecretHeader(items[index - 1]) ? MASK : copied(item, copy, depth + 1, field),
  );
}

const isSecretHeader = (name: unknown) => typeof name === 'string' && HEADER.test(name) && isSecretName(name);

function copiedFields(object: object, copy: Copy, depth: number, parent: string) {
  const fields = affordable<readonly [string, unknown]>(Object.entries(object), ['…', '…'], copy);
  // { name: 'Authorization', value: … }, or an email's header
  const isSecretPair = fields.some(
    ([key, name]) => NAME_FIELD.test(key) && typeof name === 'string' && (isSecretName(name) || name === 'Subject'),
  );
  const shown = fields.map(([name, value]) => {
    const isSent = SENT_FIELD.test(name) || SENT_FIELD.test(`${parent}.${name}`);
    const role = copy.rules.roleOf(name, object);
    const isSecret = isSecretName(name) || (isSecretPair && typeof value === 'string' && /^value$/i.test(name));
    // Whether it's there is no secret.
    const isHidden = (isSecret || isSent || role === 'masked') && value !== null && typeof value !== 'boolean';
    const key = affordableText(name, copy, MAX_DEPTH, { name: '', role: 'sentence' });
    return [key, isHidden ? MASK : copied(value, copy, depth, { name, role })] as const;
  });
  return Object.fromEntries(shown);
}

function affordableText(text: string, copy: Copy, depth: number, field: TextField) {
  if (copy.left <= 0) return '…';
  copy.left -= text.length + TEXT_COST;
  return copy.rules.text(text, field, depth);
}

function affordable<Item>(items: readonly Item[], ending: Item, { left }: Copy) {
  const most = Math.max(0, Math.floor(left / VALUE_COST));
  return items.length <= most ? items : [...items.slice(0, most), ending];
}

/** Of seven digits at least; under a name that doesn't say so, of ten. */
function isPhone(name: string, digits: string) {
  const least = PHONE_NAME.test(name) ? 1e6 : 1e9;
  return Number(digits) >= least && withoutPhones(digits, name) !== digits;
}
