import { explainCause, stepCauses } from '../../../causes/explain-cause.ts';
import { judge } from '../../../failures/judge.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import { at } from '../../../service/event.testing.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import type { Message } from '../../../service/lists.ts';
import { PRODUCTION } from '../../slack.testing.ts';

/** A minute after its creation. */
export function found(event: TriggeredEvent, messages: readonly Message[] = []): FoundEvent {
  return {
    environment: PRODUCTION,
    event,
    judgement: judge(event, at(60)),
    causes: stepCauses(judge(event, at(60)), explainCause),
    messages: { items: messages, hasMore: false, error: null },
  };
}
