import type { MessageContent } from '../blocks.ts';

/** If nothing was found, a form stays open and shows it. */
export interface LookupAnswer {
  readonly isFound: boolean;
  readonly content: MessageContent;
}

export function foundAnswer(content: MessageContent): LookupAnswer {
  return { isFound: true, content };
}
