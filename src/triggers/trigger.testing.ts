import { NOON } from '../service/event.testing.ts';
import type { TriggerCtx } from './send.ts';

/** Of a service that knows no event, and a store that takes everything. */
export function aTriggerCtx() {
  let made = 0;
  return {
    service: {
      clockAheadMs: () => 0,
      retrieveEvent: async () => null,
      listEvents: async () => ({ items: [], unreadable: [], hasMore: false }),
      async *eventPages() {},
      triggerEvents: async () => [],
    } satisfies ReturnType<TriggerCtx['serviceOf']>,
    triggers: {
      claimIntent: async () => true,
      noteResults: async () => {},
      noteProgressMessage: async () => {},
      closeIntent: async () => {},
      keptTrigger: async () => null,
      unfinishedIntents: async () => [],
    } satisfies TriggerCtx['store']['triggers'],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
    sleep: async () => {},
    newId: () => `notif-${++made}`,
    signal: new AbortController().signal,
  };
}
