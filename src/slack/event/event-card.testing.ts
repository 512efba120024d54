import { explainCause } from '../../domain/causes/explain-cause.ts';
import { stepCauses } from '../../domain/causes/step-causes.ts';
import { at } from '../../domain/event.testing.ts';
import type { TriggeredEvent } from '../../domain/event.ts';
import { judge } from '../../domain/judge.ts';
import type { FoundEvent } from '../../domain/looked-up.ts';
import type { Message } from '../../domain/message.ts';
import { type SeenEvent, seenEvent } from '../../domain/seen.ts';
import { PRODUCTION } from '../slack.testing.ts';

export const PERSON = { is: 'person' } as const;

/** An event as a look-up a minute after its creation finds it. */
export function found(event: TriggeredEvent, messages: readonly Message[] = []): SeenEvent {
  const whole: FoundEvent = {
    found: 'event',
    environment: PRODUCTION,
    event,
    judgement: judge(event, at(60)),
    causes: stepCauses(judge(event, at(60)), explainCause),
    messages: { read: true, items: messages, hasMore: false },
    merged: null,
  };
  return seenEvent(whole, 'requester');
}
