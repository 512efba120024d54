import { createSeal } from '../src/domain/access/seal.ts';
import { explainCause } from '../src/domain/causes/explain-cause.ts';
import { ALL_FAILURES } from '../src/domain/failures/failure-filter.ts';
import { emptySummary } from '../src/domain/failures/tally.ts';
import { ALL_INTEGRATIONS } from '../src/domain/lookups/integrations-found.ts';
import { Payload } from '../src/domain/text/payload.ts';
import { NO_OPTIONS } from '../src/domain/triggers/trigger-plan.ts';
import { aClient, anItem, type Server, serve } from '../src/notification-service/client.testing.ts';
import type { NotificationService } from '../src/notification-service/client.ts';
import { REQUESTER } from '../src/slack/blocks/reader.ts';
import { updatedMessage } from '../src/slack/credentials/message.ts';
import { lookedUpMessage } from '../src/slack/event/message.ts';
import { rawView } from '../src/slack/event/raw-modal.ts';
import { failuresMessage } from '../src/slack/failures/message.ts';
import { integrationsMessage } from '../src/slack/integrations/message.ts';
import { listMessage } from '../src/slack/lookup/list-message.ts';
import { messagesMessage } from '../src/slack/messages/message.ts';
import { at, NOON, PRODUCTION } from '../src/slack/slack.testing.ts';
import { topicMessage } from '../src/slack/topic/message.ts';
import { progressMessage } from '../src/slack/trigger/message.ts';
import { plainHead, triggerView } from '../src/slack/trigger/modal.ts';
import { sendAgainView } from '../src/slack/trigger/send-again-modal.ts';
import { findFailures } from '../src/use-cases/lookups/find-failures.ts';
import { listEvents } from '../src/use-cases/lookups/list-events.ts';
import { listIntegrations } from '../src/use-cases/lookups/list-integrations.ts';
import { listMessages } from '../src/use-cases/lookups/list-messages.ts';
import { listSubscriptions } from '../src/use-cases/lookups/list-subscriptions.ts';
import { lookUpEvent } from '../src/use-cases/lookups/look-up-event.ts';
import { triggerAnswer } from '../src/use-cases/triggers/trigger-events.ts';
import { type Answers, BARE_EVENT_ID, EVENT_ID } from './contract-answers.ts';

/** All that Slack receives for one surface. */
type Drawn = readonly unknown[];

const CALL = { who: 'person' } as const;
const PERSON = { is: 'person' } as const;
const request = { environment: 'production', target: { kind: 'event', id: EVENT_ID } } as const;
const form = { intent: 'i', answerUrl: null, channel: null };
const ENVIRONMENT = { ...PRODUCTION, dashboardUrl: 'https://dashboard.example' };
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const seal = createSeal('xoxb-secret');
const window = { from: at(-3_600), to: at(3_600) };
const now = () => at(60);

interface Surface {
  /** The responses that the surface is built from. */
  readonly of: readonly (keyof Answers)[];
  readonly draw: (service: NotificationService) => Promise<Drawn>;
}

/** The surfaces that show the service's responses, named as in docs/operations.md and each built as its listener builds it. */
export const SURFACES: Readonly<Record<string, Surface>> = {
  card: {
    of: ['event', 'bareEvent', 'events', 'messages'],
    draw: async (service) => {
      const parts = { environment: ENVIRONMENT, service, explainCause, now };
      const targets = [EVENT_ID, BARE_EVENT_ID].map((id) => ({ kind: 'event', id }) as const);
      const found = await Promise.all(targets.map((target) => lookUpEvent(target, parts)));
      return found.map((one) => lookedUpMessage(one, PERSON));
    },
  },
  raw: {
    of: ['event'],
    draw: async (service) => {
      const masked = await (await service.eventAnswer({ id: EVENT_ID, transactionId: 't' }, CALL))?.masked(
        async () => {},
      );
      const first = rawView(masked ?? {}, { request, page: 0 });
      const pages = Number(/Page 1 of (\d+)/.exec(JSON.stringify(first))?.[1]);
      return Array.from({ length: pages }, (_, page) => rawView(masked ?? {}, { request, page }));
    },
  },
  transaction: {
    of: ['events'],
    draw: async (service) => {
      const target = { kind: 'transaction', id: 'asked-for' } as const;
      const found = await lookUpEvent(target, { environment: ENVIRONMENT, service, explainCause, now });
      return [lookedUpMessage(found, PERSON)];
    },
  },
  failures: {
    of: ['events'],
    draw: async (service) => {
      const reads = { coverage: async () => null, gapsIn: async () => [], failuresIn: async () => emptySummary() };
      const store = { ...reads, currentPast: async () => null };
      const parts = { environment: ENVIRONMENT, service, store, checkNow: null, now };
      const found = await findFailures(window, ALL_FAILURES, parts);
      const asked = { environment: 'production', filter: ALL_FAILURES, ...window, offset: 0 };
      return [
        failuresMessage(found, {
          request: asked,
          now: now(),
          horizonMs: 3_600_000,
          reader: REQUESTER,
          explainCause,
          incidents: new Map(),
        }),
      ];
    },
  },
  list: {
    of: ['events'],
    draw: async (service) => {
      const asked = {
        environment: 'production',
        owner: { kind: 'subscriber', id: 'asked-for' },
        before: NOON,
        end: null,
        page: 0,
      } as const;
      const list = await listEvents(asked, { environment: ENVIRONMENT, ...elsewhere(service), now });
      return [listMessage(list, { isForAll: false, seal })];
    },
  },
  'send again': {
    of: ['event', 'bareEvent'],
    draw: async (service) => {
      const events = await Promise.all([EVENT_ID, BARE_EVENT_ID].map((id) => service.retrieveEvent(id, CALL)));
      const shown = { ...form, request, environment: ENVIRONMENT, payload: 'new' } as const;
      return events.flatMap((event) => (event === null ? [] : [sendAgainView({ ...shown, event, delivered: [] })]));
    },
  },
  form: {
    of: ['event'],
    draw: async (service) => {
      const workflow = (await service.retrieveEvent(EVENT_ID, CALL))?.workflow ?? null;
      const view = { environments: [ENVIRONMENT], environment: ENVIRONMENT, workflow, more: [], payloadBlock: null };
      return [triggerView({ ...form, ...view, head: plainHead(ENVIRONMENT) })];
    },
  },
  messages: {
    of: ['messages'],
    draw: async (service) => {
      const filter = { channel: null, subscriberId: null, transactionIds: [], contextKeys: [] };
      return [
        messagesMessage(await listMessages(filter, 0, { environment: ENVIRONMENT, ...elsewhere(service) }), REQUESTER),
      ];
    },
  },
  topic: {
    of: ['subscriptions'],
    draw: async (service) => {
      const question = {
        topicKey: 'asked-for',
        subscriberId: 'asked-for',
        order: 'newest',
        place: { at: 'start' },
      } as const;
      return [
        topicMessage(await listSubscriptions(question, { environment: ENVIRONMENT, ...elsewhere(service) }), PERSON),
      ];
    },
  },
  integrations: {
    of: ['integrations', 'events'],
    draw: async (service) => {
      const asked = { environment: 'production', filter: ALL_INTEGRATIONS, scope: 'all', offset: 0 } as const;
      const found = await listIntegrations(ALL_INTEGRATIONS, 'all', {
        environment: ENVIRONMENT,
        ...elsewhere(service),
        store: { failingProviders: async () => [] },
        now,
      });
      return [integrationsMessage(found, asked, REQUESTER)];
    },
  },
  credentials: {
    of: ['subscriber'],
    draw: async (service) => {
      const update = { providerId: 'slack', credentials: {} };
      const held = await service.updateCredentials('asked-for', update, { idempotencyKey: 'k' }, CALL);
      if (held === null) return [];
      return [updatedMessage({ subscriberId: 'asked-for', provider: 'slack', environment: ENVIRONMENT }, held)];
    },
  },
  trigger: {
    of: ['results'],
    draw: async (service) => {
      const results = await service.triggerEvents(
        [anItem({ payload: new Payload({}), options: NO_OPTIONS })],
        { idempotencyKey: 'k' },
        CALL,
      );
      const recipients = [{ subscriberId: 'asked-for', transactionId: 'asked-for' }];
      const intent = { id: 'i', environment: 'production', actor: 'U0ANN', workflow: 'order-shipped', recipients };
      const told = { ...intent, intent: 'i', startedAt: NOON, isResumed: false };
      const progress = {
        ...triggerAnswer(intent, results),
        phase: 'finished',
        trouble: null,
      } as const;
      return [progressMessage(told, progress, ENVIRONMENT)];
    },
  },
};

function elsewhere(service: NotificationService) {
  return { environments: [ENVIRONMENT], serviceOf: () => service, logger };
}

/** Starts a service that answers over HTTP with the latest responses given to `answer`. */
export async function answeringService(): Promise<Server & { answer(answers: Answers): void }> {
  let answers: Answers | null = null;
  const server = await serve((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://service');
    const found =
      answers === null ? null : answerTo(`${incoming.method}`, pathname, Number(searchParams.get('page')), answers);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  const answer = (given: Answers) => {
    answers = given;
  };
  return { ...server, answer };
}

function answerTo(method: string, path: string, page: number, answers: Answers): object {
  if (method === 'PATCH') return { data: answers.subscriber };
  if (method === 'POST') return { data: answers.results };
  if (path === '/v1/notifications')
    return page === 0 ? answers.events : { ...answers.events, data: [], hasMore: false };
  if (path.startsWith('/v1/notifications/'))
    return { data: path.endsWith(BARE_EVENT_ID) ? answers.bareEvent : answers.event };
  if (path === '/v1/messages') return answers.messages;
  return path === '/v1/integrations' ? { data: answers.integrations } : answers.subscriptions;
}

/** What people see of a surface, and what only its buttons carry. */
export interface Sight {
  readonly words: string;
  readonly carried: string;
}

/** Returns the surfaces built from any of the responses in `of`, with the service's current responses. */
export async function drawn(url: string, of: readonly (keyof Answers)[]): Promise<ReadonlyMap<string, Sight>> {
  const { client } = aClient({ url });
  const sights = new Map<string, Sight>();
  for (const [name, surface] of Object.entries(SURFACES)) {
    if (surface.of.some((answer) => of.includes(answer))) sights.set(name, sightOf(await surface.draw(client)));
  }
  return sights;
}

function sightOf(drawn: Drawn): Sight {
  const [words, carried]: [string[], string[]] = [[], []];
  const walk = (value: unknown, name: string): void => {
    if (typeof value === 'string') (CARRIED.has(name) ? carried : words).push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) walk(one, Number.isNaN(Number(key)) ? key : name);
  };
  walk(drawn, '');
  return { words: words.join('\n'), carried: carried.join('\n') };
}

/** Block Kit fields that Slack stores but doesn't show. */
const CARRIED = new Set(['value', 'url', 'private_metadata', 'action_id', 'block_id', 'callback_id']);
