import type { Reply } from './reply.ts';

/** A reply whose place may still change: nothing reaches the second place before the move. */
export interface MovableReply {
  readonly reply: Reply;
  /** Answers in another place from now on. What was shown before stays where it is. */
  moveTo(next: Reply): void;
}

/** Returns a reply that answers in one place until it's moved. */
export function movableReply(first: Reply): MovableReply {
  let now = first;
  return {
    reply: {
      show: (content) => now.show(content),
      replace: (content) => now.replace(content),
      stillWorking: () => now.stillWorking(),
      get endWait() {
        return now.endWait;
      },
      get share() {
        return now.share;
      },
    },
    moveTo: (next) => {
      now = next;
    },
  };
}
