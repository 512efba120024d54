import { parseJson } from './json.ts';
import type { Json } from './page-protocol.ts';

/** How Slack refuses a call: `word` is its error, such as 'channel_not_found'. */
export class Refusal extends Error {
  readonly word: string;
  readonly details: Json;

  constructor(word: string, details: Json = {}) {
    super(`Slack refuses: ${word}`);
    this.name = 'Refusal';
    this.word = word;
    this.details = details;
  }
}

/** Returns Slack's answer to a call with invalid arguments: one line per problem, as `response_metadata.messages`. */
export function invalidArguments(...problems: readonly string[]): Refusal {
  const messages = problems.map((line) => `[ERROR] ${line}`);
  return new Refusal('invalid_arguments', { response_metadata: { messages } });
}

/** The arguments of a call, which come as JSON or as a form: all values of a form are strings. */
export class Arguments {
  readonly all: Json;

  constructor(all: Json) {
    this.all = all;
  }

  text(name: string): string | undefined {
    const value = this.all[name];
    return value === undefined || value === null ? undefined : String(value);
  }

  required(name: string): string {
    const value = this.text(name) ?? '';
    if (value === '') throw invalidArguments(`missing required field: ${name}`);
    return value;
  }

  flag(name: string): boolean {
    return ['true', '1'].includes(this.text(name) ?? '');
  }

  structure(name: string): unknown {
    const value = this.all[name];
    return typeof value === 'string' ? (parseJson(value) ?? value) : value;
  }
}
