import type { Reply } from './reply.ts';

/** Nothing reaches the second place before the move. */
export interface MovableReply {
  readonly reply: Reply;
  /** What was shown before stays where it is. */
  moveTo(next: Reply): void;
}

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
