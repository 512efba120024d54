import { Agenda } from './agenda.ts';
import { Behavior } from './behavior.ts';
import type {
  ExecutionDetail,
  Integration,
  Job,
  Message,
  StepType,
  Subscriber,
  Topic,
  TriggeredEvent,
  Workflow,
} from './entities.ts';
import { type DetailPlan, detailFromPlan, type EventPlan, eventFromPlan, messagesOf } from './event-plan.ts';
import { outageOf, type ProviderFailure } from './provider-failures.ts';
import { createRandom, objectId, type Random } from './random.ts';
import { type EventRow, eventKeys, type MessageRow, messageKeys } from './rows.ts';
import {
  bareSubscriber,
  seedCrowd,
  seedIntegrations,
  seedSubscribers,
  seedTopics,
  type Tenancy,
  topicOf,
} from './seed.ts';
import { Timeline } from './timeline.ts';
import { seedRarerWorkflows, seedWorkflows } from './workflows.ts';

/** An outage of a provider: this share (0 to 1) of what is sent through it fails with this cause. */
export interface Outage {
  cause: ProviderFailure;
  share: number;
  /** It refuses what is sent in this context alone; null: in any. */
  contextKey: string | null;
}

interface StartedOutage {
  readonly provider: string;
  readonly cause?: ProviderFailure;
  readonly share?: number;
  readonly contextKey?: string | null;
}

export interface Accidents {
  conditionFalse: number;
  providerError: number;
  retry: number;
  bounce: number;
  stuck: number;
  warning: number;
  /** A reader looks at a message, and may read, snooze or answer it. */
  reader: number;
}

export interface BrokenTemplate {
  readonly workflow: string;
  readonly step: StepType;
  readonly raw: string;
}

/** A time in which most emails bounce some time after delivery. `reason` is the receiving server's message. */
export interface BounceStorm {
  /** The share of emails, from 0 to 1. */
  readonly share: number;
  readonly reason: string;
}

/** For tests: everything triggered is delivered, unless the test breaks something. */
export const noAccidents: Accidents = {
  conditionFalse: 0,
  providerError: 0,
  retry: 0,
  bounce: 0,
  stuck: 0,
  warning: 0,
  reader: 0,
};

export class World {
  readonly random: Random;
  /** Randomness for what isn't part of the events: what readers do, and what is planted as an example. */
  readonly aside: Random;
  readonly tenancy: Tenancy;
  readonly agenda = new Agenda();
  readonly events = new Timeline<EventRow>(eventKeys);
  readonly messages = new Timeline<MessageRow>(messageKeys);
  readonly workflows: Map<string, Workflow>;
  readonly integrations: Integration[];
  readonly subscribers: Map<string, Subscriber>;
  readonly topics: Map<string, Topic>;
  readonly tenants = new Set(['acme', 'globex']);
  readonly outages = new Map<string, Outage>();
  /** The IDs of triggered transactions, whether or not their events have appeared. */
  readonly transactions = new Set<string>();
  /** The digests that are collecting, by workflow and subscriber: the event that others merge into. */
  readonly openDigests = new Map<string, TriggeredEvent>();
  /** The times at which a throttle let events pass, by workflow and subscriber. */
  readonly throttled = new Map<string, readonly number[]>();
  accidents: Accidents = noAccidents;
  readonly #changedAccidents = new Set<Partial<Accidents>>();
  readonly #bounceStorms = new Set<BounceStorm>();
  readonly #brokenTemplates = new Set<BrokenTemplate>();
  behavior: Behavior = Behavior.parse({});
  pace = 1;
  /** How many days of events the plan keeps. The list goes back no further. */
  planDays = 30;
  readonly now: () => number;

  constructor(options: { seed: number; now: () => number }) {
    const birth = options.now() - 90 * 86_400_000;
    this.now = options.now;
    this.random = createRandom(options.seed);
    this.aside = createRandom(options.seed + 1_000_000);
    this.tenancy = { _organizationId: objectId(this.random, birth), _environmentId: objectId(this.random, birth) };
    const workflows = [...seedWorkflows(this.random, birth), ...seedRarerWorkflows(this.aside, birth)];
    this.workflows = new Map(workflows.map((workflow) => [workflow.identifier, workflow]));
    this.integrations = seedIntegrations(this.random, this.tenancy, objectId(this.random, birth), birth);
    const people = seedSubscribers(this.random, this.tenancy, this.integrations, birth);
    this.subscribers = new Map(people.map((person) => [person.subscriberId, person]));
    this.topics = new Map(seedTopics(this.random, people, birth).map((topic) => [topic.key, topic]));
  }

  /** Plants an event with the messages that its jobs produced, with all IDs from `random`, and returns it as stored. */
  plantEvent(plan: EventPlan = {}, random: Random = this.random): TriggeredEvent {
    const at = plan.createdAt ?? this.now();
    const event = eventFromPlan(plan, {
      random,
      tenancy: this.tenancy,
      at,
      workflow: plan.workflow === null ? null : (this.workflows.get(plan.workflow ?? 'order-shipped') ?? null),
      subscriber: plan.subscriber === null ? null : this.subscriber(plan.subscriber ?? 'user-1'),
      topics: (plan.topics ?? []).map((key) => this.topic(key)),
    });
    const row = { id: event._id, at, transactionId: event.transactionId, event };
    this.events.add(plan.disguise ? { ...row, disguise: plan.disguise } : row);
    this.transactions.add(event.transactionId);
    for (const message of messagesOf(event, random)) this.addMessage(message);
    return event;
  }

  updateEvent(id: string, change: Partial<TriggeredEvent>): TriggeredEvent {
    const event = this.event(id);
    const updatedAt = new Date(this.now()).toISOString();
    return Object.assign(event, { updatedAt }, change);
  }

  updateJob(eventId: string, jobIndex: number, change: Partial<Job>): Job {
    const event = this.updateEvent(eventId, {});
    return Object.assign(this.job(event, jobIndex), { updatedAt: event.updatedAt }, change);
  }

  /** Appends an execution detail to a job, as a bounce webhook or a delayed step does. Throws if there is no such job. */
  addLateDetail(eventId: string, jobIndex: number, plan: DetailPlan): ExecutionDetail {
    const detail = detailFromPlan(plan, this.now(), this.random);
    this.updateJob(eventId, jobIndex, {}).executionDetails.push(detail);
    return detail;
  }

  addMessage(message: Message): void {
    const { _id: id, transactionId, createdAt } = message;
    this.messages.add({ id, transactionId, at: Date.parse(createdAt), message });
  }

  /**
   * Makes a provider fail what is sent through it from now. The default cause is the provider's own outage.
   *
   * @returns a function that ends it, unless another outage of the provider has replaced it.
   */
  startOutage({ provider, cause = outageOf(provider), share = 1, contextKey = null }: StartedOutage): () => void {
    const outage = { cause, share, contextKey };
    this.outages.set(provider, outage);
    return () => {
      if (this.outages.get(provider) === outage) this.endOutage(provider);
    };
  }

  endOutage(provider: string): void {
    this.outages.delete(provider);
  }

  /** Changes this environment's integrations of a provider until the returned function is called. Other changes in the meantime stay. */
  changeIntegration(providerId: string, change: Readonly<Partial<Integration>>): () => void {
    const changed = this.integrations.filter(
      (one) => one.providerId === providerId && one._environmentId === this.tenancy._environmentId && !one.deleted,
    );
    const before = changed.map((one) => ({ ...one }));
    for (const one of changed) Object.assign(one, change);
    return () => {
      for (const [index, one] of changed.entries()) {
        const was = Object.entries(before[index] ?? {}).filter(([key]) => key in change);
        Object.assign(one, Object.fromEntries(was));
      }
    };
  }

  /** Sets the probability of these accidents until the returned function is called. Of several changes the latest counts. */
  changeAccidents(change: Partial<Accidents>): () => void {
    return addTo(this.#changedAccidents, change);
  }

  likelihood(accident: keyof Accidents): number {
    return [...this.#changedAccidents].findLast((change) => accident in change)?.[accident] ?? this.accidents[accident];
  }

  startBounceStorm(storm: BounceStorm): () => void {
    return addTo(this.#bounceStorms, storm);
  }

  bounceStorm(): BounceStorm | undefined {
    return [...this.#bounceStorms].at(-1);
  }

  breakTemplate(broken: BrokenTemplate): () => void {
    return addTo(this.#brokenTemplates, broken);
  }

  brokenTemplate(workflow: string, step: string): BrokenTemplate | undefined {
    return [...this.#brokenTemplates].find((broken) => broken.workflow === workflow && broken.step === step);
  }

  /** Returns the topic with this key and this many subscribers with an email address; planted once. */
  plantCrowd(key: string, people: number): Topic {
    const known = this.topics.get(key);
    if (known !== undefined) return known;
    const crowd = seedCrowd(this.random, this.tenancy, { name: key, people, at: this.now() });
    for (const person of crowd) this.subscribers.set(person.subscriberId, person);
    const ids = crowd.map(({ subscriberId }) => subscriberId);
    return this.plantTopic(key, ids);
  }

  /** Returns the subscriber with this external ID, created without further data if unknown. */
  subscriber(subscriberId: string): Subscriber {
    const known = this.subscribers.get(subscriberId);
    const subscriber = known ?? bareSubscriber(this.random, this.tenancy, subscriberId, this.now());
    this.subscribers.set(subscriberId, subscriber);
    return subscriber;
  }

  /** Returns the topic with this key, created without subscriptions if unknown. */
  topic(key: string): Topic {
    return this.topics.get(key) ?? this.plantTopic(key, []);
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

  private job(event: TriggeredEvent, index: number): Job {
    const job = event.jobs[index];
    if (!job) throw new Error(`Event ${event._id} has no job ${index}: it has ${event.jobs.length}, counted from 0`);
    return job;
  }
}

/** Adds a copy and returns a function that removes only this one. */
function addTo<T extends object>(all: Set<T>, one: T): () => void {
  const own = { ...one };
  all.add(own);
  return () => all.delete(own);
}
