import type { PageAct, Snapshot } from '../../page-protocol.ts';
import { messagesSince, wordsOfAct, wordsSeen } from './words.ts';

/** What has to happen for a thing to get on. */
export type Stage =
  /** A person does something, in the words of `wordsOfAct`. */
  | { readonly does: RegExp }
  /** It stands somewhere before the person's eyes. */
  | { readonly sees: RegExp }
  /** A message of the bot, newer than the page, says it. */
  | { readonly arrives: RegExp }
  /** A form says of a field what is wrong with it. */
  | { readonly fieldError: true }
  | { readonly startsScenario: true };

/** What happens on the page. */
export type Happening =
  /** An interaction that Slack accepted, and what was before the person's eyes then. */
  | { readonly kind: 'act'; readonly act: PageAct; readonly snapshot: Snapshot }
  /** What the person sees now; `openedAt`, in seconds, is when the page was opened. */
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly openedAt: number }
  /** The person has started a scenario. */
  | { readonly kind: 'scenario' };

/** Whether this is what the stage waits for. */
export function stageHappened(stage: Stage, happening: Happening): boolean {
  switch (happening.kind) {
    case 'act':
      return 'does' in stage && stage.does.test(wordsOfAct(happening.act, happening.snapshot));
    case 'scenario':
      return 'startsScenario' in stage;
    case 'snapshot':
      return isInSight(stage, happening.snapshot, happening.openedAt);
  }
}

function isInSight(stage: Stage, snapshot: Snapshot, openedAt: number): boolean {
  if ('sees' in stage) return stage.sees.test(wordsSeen(snapshot));
  if ('arrives' in stage) return stage.arrives.test(messagesSince(snapshot, openedAt));
  if ('fieldError' in stage) return snapshot.views.some(({ errors }) => Object.keys(errors).length > 0);
  return false;
}
