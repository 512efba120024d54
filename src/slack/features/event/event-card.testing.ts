import { explainCause, failureCauses } from '../../../causes/explain-cause.ts';
import { judge } from '../../../judging/judge.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import { at } from '../../../service/event.testing.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import type { Message } from '../../../service/lists.ts';
import { PRODUCTION } from '../../slack.testing.ts';

/** An event as a lookup finds it, a minute after its creation. */
export function foundEvent(event: TriggeredEvent, messages: readonly Message[] = []): FoundEvent {
  const judgment = judge(event, at(60));
  return {
    environment: PRODUCTION,
    event,
    judgment,
    aheadMs: null,
    causes: failureCauses(judgment, explainCause),
    messages: { items: [...messages], hasMore: false, error: null },
  };
}
