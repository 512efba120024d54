import type { Environment } from '../../domain/environment.ts';
import type { UnseenWorkflow } from '../../domain/unseen-workflows.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { code, joined, mrkdwn } from '../blocks/text.ts';

const MOST_NAMED = 10;

/** Nothing failed of workflows that were never seen, which says nothing about those that were meant. */
export function unseenMessage(unseen: readonly UnseenWorkflow[], environment: Environment): MessageContent {
  const lines = unseen.slice(0, MOST_NAMED).map(({ name, meant }) => {
    const hint = meant === null ? mrkdwn`` : mrkdwn` Did you mean ${code(meant)}?`;
    return mrkdwn`⚠️ No workflow ${code(name)} seen in ${badge(environment)}.${hint}`;
  });
  const text = joined(lines, '\n');
  return message(text, [section(text)]);
}
