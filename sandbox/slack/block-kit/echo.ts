import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { withEscapes } from './escapes.ts';

/**
 * Returns a part of a view or message as Slack echoes it to apps: `&`, `<` and `>` in its texts are escaped, unless they are already or, in
 * mrkdwn, are markup (slackapi/bolt-python, issue 513). What people type isn't in text objects, and stays.
 */
export function echoed(part: Json): Json {
  if (typeof part.text === 'string' && part.type === 'plain_text') return { ...part, text: escapedOnce(part.text) };
  if (typeof part.text === 'string' && part.type === 'mrkdwn') return { ...part, text: withBareAmpersands(part.text) };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, echoedValue(value)]));
}

function echoedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(echoedValue);
  return isJson(value) ? echoed(value) : value;
}

const ESCAPES_AND_OTHERS = /(&(?:amp|lt|gt);)|[&<>]/g;

function escapedOnce(text: string): string {
  return text.replace(ESCAPES_AND_OTHERS, (found, known?: string) => known ?? withEscapes(found));
}

/** Escapes each `&` that doesn't begin an escape. */
function withBareAmpersands(text: string): string {
  return text.replace(/&(?!(?:amp|lt|gt);)/g, '&amp;');
}
