import { explainCause } from '../../domain/causes/explain-cause.ts';
import { stepCauses } from '../../domain/causes/step-causes.ts';
import { type JudgedEvent, judge } from '../../domain/failures/judge.ts';
import { at } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Message } from '../../domain/service/message.ts';
import type { FoundEvent } from '../../lookups/event.ts';
import { PRODUCTION } from '../slack.testing.ts';

/** A minute after its creation. */
export function judged(event: TriggeredEvent): JudgedEvent {
  return { event, judgement: judge(event, at(60)) };
}

/** A minute after its creation. */
export function found(event: TriggeredEvent, messages: readonly Message[] = []): FoundEvent {
  return {
    found: 'event',
    environment: PRODUCTION,
    event,
    judgement: judge(event, at(60)),
    causes: stepCauses(judge(event, at(60)), explainCause),
    messages: { read: true, items: messages, hasMore: false },
    merged: null,
  };
}
