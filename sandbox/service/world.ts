import type {
  ExecutionDetail,
  Integration,
  Job,
  Message,
  Subscriber,
  Tenancy,
  Topic,
  TriggeredEvent,
  Workflow,
} from './entities.ts';
import { type DetailPlan, detailFromPlan, type EventPlan, eventFromPlan } from './event-plan.ts';
import { messagesOf } from './produced-messages.ts';
import { outageOf, type ProviderFailure } from './provider-failures.ts';
import { createRandom, objectId, type Random } from './random.ts';
import { type EventRow, type MessageRow, Rows } from './rows.ts';
import { bareSubscriber, seedIntegrations, seedSubscribers, seedTopics, seedWorkflows, topicOf } from './seed.ts';

/** The planned acts and their times in milliseconds. Nothing happens until `runUntil`, so a test can play an hour in a moment. */
class Agenda {
  readonly #planned: { at: number; act: (at: number) => void }[] = [];

  plan(at: number, act: (at: number) => void): void {
    this.#planned.splice(this.#planned.findLastIndex((each) => each.at <= at) + 1, 0, { at, act });
  }

  runUntil(to: number): void {
    for (let next = this.#planned[0]; next && next.at <= to; next = this.#planned[0]) {
      this.#planned.shift();
      next.act(next.at);
    }
  }
}

/** The behavior that the contract leaves open. A default is what the contract suggests, else what was seen of real servers. */
export interface Behavior {
  after: 'inclusive' | 'exclusive';
  before: 'inclusive' | 'exclusive';
  order: 'newest first' | 'oldest first';
  /** The order of events or messages of the same millisecond: the same in every answer, or different in each. */
  ties: 'stable' | 'shuffled';
  /** The fields that events of the list lack. A retrieved event has them all. `['jobs']` is a list without jobs. */
  eventListLacks: readonly (keyof TriggeredEvent)[];
  /** A server that keeps details in its analytics store returns only the oldest hundred of a page. */
  detailsOfPage: 'all' | 'the oldest hundred';
  /** In another mode of that store, a retrieved event has up to a hundred steps of its transaction's other events. */
  stepsOfRetrievedEvent: 'its own' | "its transaction's";
  /** The filters that an older server doesn't know, and so ignores. */
  ignores: readonly string[];
  /** Whether answers say what time it is at the service. */
  dates: 'stated' | 'left out';
  /** How far back the plan lists events. */
  planKeepsMs: number;
  /** A larger trigger is refused (413). */
  largestTriggerBytes: number;
}

export interface Outage {
  cause: ProviderFailure;
  /** The share (0 to 1) of calls to the provider that fail. */
  share: number;
  /** The outage hits only what is sent in this context, or everything if null. */
  contextKey: string | null;
}

/** The chance (0 to 1) of each accident. */
export interface Accidents {
  /** A step with a condition is skipped, whatever the payload says. */
  conditionFalse: number;
  /** An event may be for a person whom some of its steps can't reach. */
  unreachable: number;
  /** A provider refuses an attempt for good. */
  providerError: number;
  /** A provider refuses an attempt, and takes it when it is repeated. */
  retry: number;
  /** An email or SMS that was delivered comes back. */
  bounce: number;
  /** A step stays running forever. */
  stuck: number;
  /** A digest is merged into its own event, so that nothing is ever sent. */
  selfMerged: number;
}

export const noAccidents: Accidents = {
  conditionFalse: 0,
  unreachable: 0,
  providerError: 0,
  retry: 0,
  bounce: 0,
  stuck: 0,
  selfMerged: 0,
};

const DAY_MS = 86_400_000;

/** The state of one environment of the service, and what people and tests do to it. */
export class World {
  readonly random: Random;
  readonly tenancy: Tenancy;
  readonly agenda = new Agenda();
  readonly events = new Rows<EventRow>();
  readonly messages = new Rows<MessageRow>();
  readonly workflows: Map<string, Workflow>;
  readonly integrations: Integration[];
  readonly subscribers: Map<string, Subscriber>;
  readonly topics: Map<string, Topic>;
  readonly tenants = new Set(['acme', 'globex']);
  /** By provider. */
  readonly outages = new Map<string, Outage>();
  /** The provider's message of a template that can't be rendered, by workflow and step type: 'order-shipped email'. */
  readonly brokenTemplates = new Map<string, string>();
  /** The share (0 to 1) of emails that come back some time after their delivery, and the receiving server's message. */
  bounceStorm: { readonly share: number; readonly reason: string } | null = null;
  /** The IDs of all transactions: a trigger that repeats one makes no event. */
  readonly transactions = new Set<string>();
  /** The workflow that nobody triggers. */
  silentWorkflow: string | null = null;
  /** The event that waits in a digest step, by workflow and subscriber. */
  readonly openDigests = new Map<string, TriggeredEvent>();
  /** The end of a throttle's window in milliseconds, by workflow and subscriber. */
  readonly throttledUntil = new Map<string, number>();
  readonly accidents: Accidents = { ...noAccidents };
  readonly behavior: Behavior = {
    after: 'inclusive',
    before: 'inclusive',
    order: 'newest first',
    ties: 'stable',
    eventListLacks: [],
    detailsOfPage: 'all',
    stepsOfRetrievedEvent: 'its own',
    ignores: [],
    dates: 'stated',
    planKeepsMs: 30 * DAY_MS,
    largestTriggerBytes: 26 * 1024 ** 2,
  };
  /** Events arrive this many times as often as usual, and bounces come back as many times sooner. */
  pace = 1;
  readonly now: () => number;

  constructor({ seed, now }: { readonly seed: number; readonly now: () => number }) {
    const birth = now() - 90 * DAY_MS;
    this.now = now;
    this.random = createRandom(seed);
    // The same IDs at each start: what the bot has stored (with `--keep`) stays of this environment.
    this.tenancy = { _organizationId: objectId(this.random, 0), _environmentId: objectId(this.random, 0) };
    this.workflows = new Map(seedWorkflows(this.random, birth).map((workflow) => [workflow.identifier, workflow]));
    this.integrations = seedIntegrations(this.random, this.tenancy, objectId(this.random, birth), birth);
    const people = seedSubscribers(this.random, this.tenancy, this.integrations, birth);
    this.subscribers = new Map(people.map((person) => [person.subscriberId, person]));
    this.topics = new Map(seedTopics(this.random, people, birth).map((topic) => [topic.key, topic]));
  }

  plantEvent(plan: EventPlan = {}): TriggeredEvent {
    const { random, tenancy } = this;
    const {
      workflow = 'order-shipped',
      subscriber = 'user-1',
      topics = [],
      createdAt: at = this.now(),
      disguise,
    } = plan;
    const event = eventFromPlan(plan, {
      random,
      tenancy,
      at,
      workflow: this.workflows.get(workflow ?? '') ?? null,
      subscriber: subscriber === null ? null : this.subscriber(subscriber),
      topics: topics.map((key) => this.topics.get(key) ?? this.plantTopic(key, [])),
    });
    this.events.add({ id: event._id, at, transactionId: event.transactionId, event, disguise });
    this.transactions.add(event.transactionId);
    for (const message of messagesOf(event, random)) this.addMessage(message);
    return event;
  }

  updateJob(eventId: string, jobIndex: number, change: Partial<Job>): Job {
    const event = this.event(eventId);
    const job = event.jobs[jobIndex];
    if (!job) throw new Error(`Event ${eventId} has no job ${jobIndex}: it has ${event.jobs.length}, counted from 0`);
    event.updatedAt = new Date(this.now()).toISOString();
    return Object.assign(job, { updatedAt: event.updatedAt }, change);
  }

  addLateDetail(eventId: string, jobIndex: number, plan: DetailPlan): ExecutionDetail {
    const detail = detailFromPlan(plan, this.now(), this.random);
    this.updateJob(eventId, jobIndex, {}).executionDetails.push(detail);
    return detail;
  }

  addMessage(message: Message): void {
    const { _id: id, transactionId, createdAt } = message;
    this.messages.add({ id, transactionId, at: Date.parse(createdAt), message });
  }

  /** Earlier events show the new name, too. */
  renameWorkflow(identifier: string, name: string): void {
    const workflow = this.workflows.get(identifier);
    if (workflow) workflow.template.name = name;
  }

  /** Its events have nothing left of it but its ID. */
  deleteWorkflow(identifier: string): void {
    const id = this.workflows.get(identifier)?._id;
    this.workflows.delete(identifier);
    for (const { event } of this.events.all) if (event._templateId === id) delete event.template;
  }

  /** Removes a workflow's events and messages since a time. Nobody triggers it until the returned function is called. */
  silence(workflow: string, since: number): () => void {
    const id = this.workflows.get(workflow)?._id;
    this.events.remove(({ at, event }) => at >= since && event._templateId === id);
    this.messages.remove(({ at, message }) => at >= since && message.workflow === workflow);
    return changeTemporarily<Partial<World>>(this, { silentWorkflow: workflow });
  }

  /** Makes a provider fail what is sent through it. The returned function ends this outage, unless another has replaced it. */
  startOutage(provider: string, given: Partial<Outage> = {}): () => void {
    const outage = { cause: outageOf(provider), share: 1, contextKey: null, ...given };
    this.outages.set(provider, outage);
    return () => {
      if (this.outages.get(provider) === outage) this.outages.delete(provider);
    };
  }

  /** Changes this environment's integrations of a provider until the returned function is called. Other changes in the meantime stay. */
  changeIntegration(providerId: string, change: Readonly<Partial<Integration>>): () => void {
    const isAffected = (each: Integration) =>
      each.providerId === providerId && each._environmentId === this.tenancy._environmentId && !each.deleted;
    const ends = this.integrations.filter(isAffected).map((integration) => changeTemporarily(integration, change));
    return () => {
      for (const end of ends) end();
    };
  }

  /** Returns them in the order of seed.ts. Each step of the channel names the first one's provider, even if it uses another. */
  activeIntegrations(channel: string): Integration[] {
    const { _environmentId } = this.tenancy;
    return this.integrations.filter(
      (each) => each.active && each.channel === channel && each._environmentId === _environmentId,
    );
  }

  behave(change: Partial<Behavior>): () => void {
    return changeTemporarily(this.behavior, change);
  }

  /** Returns the subscriber, who is created if unknown. */
  subscriber(subscriberId: string): Subscriber {
    const known = this.subscribers.get(subscriberId);
    const subscriber = known ?? bareSubscriber(this.random, this.tenancy, subscriberId, this.now());
    this.subscribers.set(subscriberId, subscriber);
    return subscriber;
  }

  plantTopic(key: string, subscriberIds: readonly string[]): Topic {
    const people = subscriberIds.map((id) => this.subscriber(id));
    const topic = topicOf(this.random, key, key, people, this.now());
    this.topics.set(key, topic);
    return topic;
  }

  event(id: string): TriggeredEvent {
    const row = this.events.byId(id);
    if (!row) throw new Error(`The local service has no event ${id}: plant it first`);
    return row.event;
  }
}

/** Changes an object until the returned function is called. */
export function changeTemporarily<T extends object>(object: T, change: Readonly<Partial<T>>): () => void {
  const before = Object.fromEntries(Object.entries(object).filter(([key]) => key in change));
  Object.assign(object, change);
  return () => void Object.assign(object, before);
}
