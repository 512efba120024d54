import type { MessageContent } from '../blocks.ts';

/** The answer to a lookup. Where nothing was found, a form stays open with it. */
export interface LookupAnswer {
  readonly isFound: boolean;
  readonly content: MessageContent;
}

export function foundAnswer(content: MessageContent): LookupAnswer {
  return { isFound: true, content };
}
