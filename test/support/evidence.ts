import type { Call } from '../../sandbox/slack/calls.ts';
import { isJson, parseJson } from '../../sandbox/slack/json.ts';
import { asRead } from './reading.ts';

/** A button that runs a command again has what somebody typed as its value. */
const TYPED = /"action_id":"(?:notif\.run|share\.command)[^"]*","value":"(?:[^"\\]|\\.)*"/g;
const TO_ONE_PERSON = ['response_url', 'chat.postEphemeral'];

/** Returns everything that a call sends to Slack, shown or not, but for what a person typed in an answer that only they see. */
export function textOf({ method, args }: Call): string {
  const text = JSON.stringify(unfolded(args));
  return TO_ONE_PERSON.includes(method) ? text.replace(TYPED, '') : text;
}

/** Returns the texts in which Slack interprets markup, as a reader sees them: `mrkdwn` objects and the message's own `text`. */
export function markupIn({ args }: Call): readonly string[] {
  const texts = typeof args.text === 'string' ? [args.text] : [];
  return [...texts, ...mrkdwnIn(unfolded(args))].map(asRead);
}

/** Returns the texts that contain a secret, or just its last eight characters. For an email address, only the part before the @ counts. */
export function textsWith(secrets: readonly string[], texts: readonly string[]): readonly string[] {
  const endings = secrets.map((secret) => secret.replace(/@.*/, '').slice(-8));
  return texts.filter((text) => endings.some((ending) => text.includes(ending)));
}

function unfolded(args: Call['args']): unknown {
  const entries = Object.entries(args);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? (parseJson(value) ?? value) : value]),
  );
}

function mrkdwnIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnIn);
  if (!isJson(value)) return [];
  const texts = value.type === 'mrkdwn' && typeof value.text === 'string' ? [value.text] : [];
  return [...texts, ...Object.values(value).flatMap(mrkdwnIn)];
}
