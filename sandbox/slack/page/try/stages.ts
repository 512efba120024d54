import type { PageAct, Snapshot } from '../../page-protocol.ts';
import { messagesSince, wordsOfAct, wordsSeen } from './words.ts';

/** What must happen for a thing to advance. */
export type Stage =
  /** A person's act, as worded by `wordsOfAct`. */
  | { readonly does: RegExp }
  /** Text that the person can see anywhere. */
  | { readonly sees: RegExp }
  /** Text of a bot's message that was posted after the page was opened. */
  | { readonly arrives: RegExp }
  /** An error at a form's field. */
  | { readonly fieldError: true }
  | { readonly startsScenario: true };

/** An event on the page. */
export type Happening =
  /** An interaction that Slack accepted, and what the person saw at the time. */
  | { readonly kind: 'act'; readonly act: PageAct; readonly snapshot: Snapshot }
  /** What the person sees now. `openedAt`, in seconds, is when the page was opened. */
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly openedAt: number }
  /** The person started a scenario. */
  | { readonly kind: 'scenario' };

/** Returns whether this is what the stage waits for. */
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
