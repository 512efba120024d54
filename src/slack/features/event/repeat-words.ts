import { max } from 'date-fns';
import type { JudgedEvent } from '../../../judging/judge.ts';
import { outcomeOf, stepTimes } from '../../../lookups/outcome.ts';
import type { Repeat } from '../../../sendings/sent-again.ts';
import { isDelivery } from '../../../service/event.ts';
import { type MessageBlock, section } from '../../kit/blocks.ts';
import { lookUpButton } from '../../kit/buttons.ts';
import { OUTCOME_EMOJI, outcomeWords } from '../../kit/outcomes.ts';
import { stateWords } from '../../kit/sending-words.ts';
import { code, joined, type Markup, mrkdwn, type Optional, person } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';

/** Of an event: what it was sent again as, with that event if it could be read, and what it repeats itself. */
export interface Repeats {
  sentAgain: { repeat: Repeat; seen: JudgedEvent | null } | null;
  repeated: Repeat | null;
}

export const NO_REPEATS: Repeats = { sentAgain: null, repeated: null };

export function repeatSections(
  environment: string,
  near: Date | null,
  { sentAgain, repeated }: Repeats,
): Optional<MessageBlock>[] {
  const isEventId = repeated !== null && /^[0-9a-f]{24}$/i.test(repeated.eventKey);
  return [
    sentAgain !== null &&
      section(
        sentAgainWords(sentAgain.repeat, sentAgain.seen, near),
        lookUpButton({ environment, target: { kind: 'transaction', id: sentAgain.repeat.transactionId } }),
      ),
    repeated !== null &&
      section(
        mrkdwn`🔁 Repeats ${code(repeated.eventKey)}, sent again ${timeNear(repeated.at, near)} by ${person(repeated.actor)}`,
        isEventId ? lookUpButton({ environment, target: { kind: 'event', id: repeated.eventKey } }) : undefined,
      ),
  ];
}

/** '🔁 Sent again 01:00 UTC by @ben · ✅ delivered 01:00:18 UTC' */
export function sentAgainWords({ state, actor, at }: Repeat, seen: JudgedEvent | null, near: Date | null): Markup {
  const sent = mrkdwn`🔁 Sent again ${timeNear(at, near)} by ${person(actor)}`;
  const { emoji, word } = stateWords({ state });
  if (seen === null) return joined([sent, `${emoji} ${word}`]);
  const { event, judgment } = seen;
  const outcome = outcomeOf(event, judgment);
  const ends = event.jobs.filter(isDelivery).flatMap((job) => stepTimes(job)?.last ?? []);
  const isOver = outcome !== 'in-progress' && ends.length > 0;
  const words = mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeWords(outcome)}`;
  return joined([sent, isOver ? joined([words, timeNear(max(ends), at, 'seconds')], ' ') : words]);
}
