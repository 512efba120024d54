import type { KnownBlock } from '@slack/types';
import { type MessageContent, message, section } from '../blocks.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';

export function whatNext(what: Markup, next: Markup, below: readonly KnownBlock[] = []): MessageContent {
  return message(mrkdwn`${what} ${next}`, [section(joined([what, next], '\n')), ...below]);
}
