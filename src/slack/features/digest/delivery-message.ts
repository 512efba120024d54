import type { ExplainCause } from '../../../causes/explain-cause.ts';
import type { Content } from '../../../digests/message.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { type MessageContent, noted } from '../../kit/blocks.ts';
import { digestMessage, REPEAT } from './message.ts';
import { changesMessage, gapMessage, silenceMessage, watchEndedMessage } from './notices.ts';
import { summaryMessage } from './summary.ts';
import { threadMessage, toldMessage } from './thread.ts';

export interface DrawingOptions {
  readonly environments: readonly Environment[];
  /** An earlier post of it may already be in the channel, and Notif couldn't find out. */
  readonly possibleRepeat: boolean;
  /** The message is posted, not edited: mentions notify people, so it mentions only whom the watch mentions. */
  readonly isNew: boolean;
  /** By user ID, for places where a mention would notify them. */
  readonly names: ReadonlyMap<string, string>;
  readonly explainCause: ExplainCause;
}

export function deliveryMessage(content: Content, options: DrawingOptions): MessageContent {
  const { environments, possibleRepeat } = options;
  if (content.kind === 'digest')
    return digestMessage(content, { ...options, environment: labelled(content.environment, environments) });
  const drawn = otherMessage(content, options);
  return possibleRepeat ? noted(drawn, REPEAT) : drawn;
}

function otherMessage(content: Exclude<Content, { kind: 'digest' }>, { environments, names }: DrawingOptions) {
  switch (content.kind) {
    case 'gap':
      return gapMessage(content, environments);
    case 'silence':
      return silenceMessage(content, environments);
    case 'changes':
      return changesMessage(content, environments);
    case 'summary':
      return summaryMessage(content, environments);
    case 'watch-ended':
      return watchEndedMessage(content);
    case 'thread':
      return threadMessage(content, names);
    case 'told':
      return toldMessage(content);
  }
}
