import { scrubEcho } from '../lib/text/scrub.ts';
import { causeKey } from './cause.ts';

interface Cause {
  text: string;
  key: string;
}

const CODE = / \(([^()\s]+)\)$/;
const IN_REPLY = / \(in reply to [A-Z ]{4,9}\)$/;

/** A cause that an earlier version has stored, as this one masks it. The key is what a new failure of it has, as far as the text tells. */
export function maskedCause({ text, key }: Cause): Cause {
  const masked = scrubEcho(text);
  if (masked === text) return { text, key: scrubEcho(key) === key ? key : causeKey(text, null) };
  const code = CODE.exec(text)?.[1];
  const isCode = code !== undefined && key.endsWith(`(${code.toLowerCase()})`);
  const sentence = isCode ? masked.replace(CODE, '') : masked;
  const command = key.includes('in reply to') ? sentence : sentence.replace(IN_REPLY, '');
  return { text: masked, key: causeKey(command, isCode ? code : null) };
}
