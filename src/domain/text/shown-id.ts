import { type Audience, isShownTo } from './audience.ts';
import { maskedPhones } from './contacts.ts';
import { maskEmail } from './mask.ts';

/**
 * An id of the service (subscriber, transaction, topic, context, workflow) as it is shown to an audience. What is an email address or a
 * phone number in it is masked for everyone but the requester: 'anna@example.com' -> 'a•••@example.com'.
 */
export function shownId(id: string, audience: Audience): string {
  return isShownTo(audience, 'id that is a contact') ? id : maskedId(id);
}

/** Characters of an id that are looked at: more than anything shows of one. */
const LOOKED_AT = 4_000;

/** Whether an id contains an email address or a phone number. A number without a plus, zeros or separators is no phone number: many ids are numbers. */
export function isContact(id: string): boolean {
  const plain = plainly(id.slice(0, LOOKED_AT));
  return masked(plain) !== plain;
}

/** An id without the contacts in it; any other id as it came, up to 4,000 characters. Masking it again changes nothing. */
export function maskedId(id: string): string {
  if (id.length > LOOKED_AT) return maskedId(`${id.slice(0, LOOKED_AT - 1)}…`);
  const plain = plainly(id);
  const hidden = masked(plain);
  return hidden === plain ? id : hidden;
}

/** What the service may take for the address although it's written another way: full width, percent-encoded, with unseen characters or spaces. */
function plainly(id: string): string {
  const compatible = id.normalize('NFKC').replace(/[\p{Cc}\p{Cf}]/gu, '');
  return compatible
    .replace(/%40/gi, '@')
    .replace(/%2B/gi, '+')
    .replace(/\s{0,9}@\s{0,9}/gu, '@');
}

/** In free text an address ends at characters that an id may well have in it, so more counts as its local part here. */
const LOCAL_PART =
  /(?<![^\s@:;,<>()|/\\])[^\s@:;,<>()|/\\]+@(?=\[|(?:[\p{L}\p{N}\p{M}_-]{1,63}\.){1,8}[\p{L}\p{M}]{2})/gu;
/** After a plus nothing but a phone number has so many digits, whatever is before it. */
const INTERNATIONAL = /\+[ ()./-]{0,2}[1-9](?:[ ()./-]{0,3}\d){6,14}(?!\d)/g;

/** No notation of a phone number has fewer digits. Most ids have neither these nor an `@`, and every failure's id is looked at. */
const SIX_DIGITS = /\d(?:\D*\d){5}/;

function masked(plain: string): string {
  const addressed = plain.includes('@') ? plain.replace(LOCAL_PART, (local) => maskEmail(local)) : plain;
  return SIX_DIGITS.test(addressed) ? maskedPhones(addressed, [INTERNATIONAL]) : addressed;
}
