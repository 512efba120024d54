import type { Json } from './page-protocol.ts';

/** A refusal in Slack's words: `word` becomes the answer's `error`, with `details` beside it. */
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
  return new Refusal('invalid_arguments', {
    response_metadata: { messages: problems.map((line) => `[ERROR] ${line}`) },
  });
}
