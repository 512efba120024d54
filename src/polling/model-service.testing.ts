import type { TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import type { EventQuery, MessageQuery, Page } from '../service/query.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';
import type { PolledService } from './reading.ts';

export interface ModelEvent {
  at: Date;
  listedAt: Date;
  seenAt: (now: Date) => TriggeredEvent;
}

export function settled(event: TriggeredEvent & { createdAt: Date }): ModelEvent {
  return { at: event.createdAt, listedAt: event.createdAt, seenAt: () => event };
}

/** Lists its events newest first, within inclusive bounds, as of each page's request. `hasMore` means that a page is full. */
export class ModelService implements PolledService {
  readonly events: ModelEvent[] = [];
  readonly queries: (EventQuery & { readonly before: Date })[] = [];
  readonly retrieved: string[] = [];
  messages: readonly Message[] = [];
  messageRequests = 0;
  /** A query whose range holds one of these moments fails with `poison`. */
  poisoned: readonly Date[] = [];
  poison: ServiceProblem = { kind: 'service-error', status: 500, errorId: null };
  problem: ServiceProblem | null = null;
  /** A query that begins before this is beyond what the plan keeps. */
  planFrom: Date | null = null;
  aheadMs: number | null = null;
  /** The contract leaves open the order of the list, and whether its bounds are inclusive. */
  order: (newestFirst: readonly TriggeredEvent[]) => readonly TriggeredEvent[] = (events) => events;
  isExclusive = false;
  mostAPage = Number.POSITIVE_INFINITY;
  beforePage: () => void = () => {};
  readonly #now: () => Date;
  readonly #environmentId: string;

  constructor(now: () => Date, environmentId = 'the only one') {
    this.#now = now;
    this.#environmentId = environmentId;
  }

  clockAheadMs(): number | null {
    return this.aheadMs;
  }

  async retrieveEvent(id: string): Promise<TriggeredEvent | null> {
    this.retrieved.push(id);
    if (this.problem !== null) throw new ServiceError('production', 'retrieveEvent', this.problem);
    return this.#seen().find((event) => event.id === id) ?? null;
  }

  async listMessages({ transactionIds = [] }: MessageQuery): Promise<Page<Message>> {
    this.messageRequests += 1;
    if (this.problem !== null) throw new ServiceError('production', 'listMessages', this.problem);
    const items = this.messages.filter(({ transactionId }) => transactionIds.includes(transactionId));
    return { items, unreadable: [], hasMore: false };
  }

  async listEvents(query: EventQuery): Promise<Page<TriggeredEvent>> {
    const { before = this.#now() } = query;
    for await (const page of this.eventPages({ ...query, before })) return page;
    return { items: [], unreadable: [], hasMore: false };
  }

  async *eventPages(query: EventQuery & { readonly before: Date }): AsyncGenerator<Page<TriggeredEvent>> {
    this.queries.push(query);
    const limit = Math.min(query.limit ?? 50, this.mostAPage);
    for (let page = 0; ; page++) {
      this.beforePage();
      const problem = this.#problemOf(query);
      if (problem !== null) throw new ServiceError('production', 'listEvents', problem);
      const items = this.order(this.#listed(query)).slice(page * limit, (page + 1) * limit);
      yield { items, unreadable: [], hasMore: items.length === limit };
      if (items.length < limit) return;
    }
  }

  #problemOf({ after, before }: EventQuery & { readonly before: Date }): ServiceProblem | null {
    const from = after ?? new Date(0);
    if (this.problem !== null) return this.problem;
    if (this.planFrom !== null && from < this.planFrom) return { kind: 'beyond-plan', message: 'beyond the plan' };
    const isPoisoned = this.poisoned.some((moment) => moment >= from && moment <= before);
    return isPoisoned ? this.poison : null;
  }

  #listed({ after = new Date(0), before }: EventQuery & { readonly before: Date }): TriggeredEvent[] {
    return this.#seen(({ at }) => (this.isExclusive ? at > after && at < before : at >= after && at <= before));
  }

  #seen(isWithin: (event: ModelEvent) => boolean = () => true): TriggeredEvent[] {
    const now = this.#now();
    return this.events
      .filter((event) => event.listedAt <= now && isWithin(event))
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .map((event) => ({ ...event.seenAt(now), serviceEnvironmentId: this.#environmentId }));
  }
}
