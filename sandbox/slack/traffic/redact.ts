import type { Json } from '../page-protocol.ts';

const MASK = '•••';

/** What grants access: tokens, and parts of URLs that admit a connection, accept a file or answer for the bot. */
const SECRETS: readonly RegExp[] = [
  /\bx(?:ox[a-z]|app)-[\w-]+/g,
  /(?<=\/response\/)[\w-]+/g,
  /(?<=\/upload\/v1\/)[\w-]+/g,
  /(?<=[?&]ticket=)[\w-]+/g,
];

/** Returns a copy without tokens and secret URLs at any depth. */
export function redact(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => (key === 'token' ? MASK : redactPart(part)));
}

function redactPart(part: unknown): unknown {
  return typeof part === 'string' ? SECRETS.reduce((text, secret) => text.replaceAll(secret, MASK), part) : part;
}
