import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIAL_FIELDS } from '../src/domain/credentials/credentials.ts';
import type { MessageQuery } from '../src/domain/service/message.ts';
import type { EventQuery, TriggerItem } from '../src/domain/service/query.ts';
import type { SubscriptionQuery } from '../src/domain/service/subscription.ts';
import { Payload } from '../src/domain/text/payload.ts';
import { parseProfiles } from '../src/domain/triggers/trigger-profiles.ts';
import * as operations from '../src/notification-service/operations.ts';
import { type ContractOperation, OPERATIONS, SENT_TYPES } from './contract.ts';
import { type Answers, answersWith, lookedFor, type Planted, TYPES } from './contract-answers.ts';
import { answeringService, drawn, type Sight, SURFACES } from './contract-surfaces.ts';
import { ROOT } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** A row of a table below a heading: its names, whether they are sent or on which surfaces they are shown, and how or why not. */
interface Row {
  readonly names: readonly string[];
  /** 'yes', 'no', or the names of surfaces. */
  readonly used: string;
  readonly where: string;
}

/** Returns the table rows of the page by the heading above them. */
function tables(): ReadonlyMap<string, readonly Row[]> {
  const parts = page.split(/^#{2,3} /m).slice(1);
  return new Map(parts.map((part) => [part.split('\n')[0] ?? '', [...part.matchAll(/^\| (`.*)\|$/gm)].map(rowOf)]));
}

function rowOf([, line = '']: RegExpMatchArray): Row {
  const [names = '', used = '', where = ''] = line.split('|').map((cell) => cell.trim());
  return { names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name), used, where };
}

const documented = tables();
const rowsUnder = (heading: string) => documented.get(heading) ?? [];
const namesUnder = (heading: string) =>
  rowsUnder(heading)
    .flatMap(({ names }) => names)
    .sort();
const usedUnder = (heading: string) =>
  rowsUnder(heading)
    .flatMap(({ names, used }) => (used === 'yes' ? names : []))
    .sort();

const EVENTS: Required<EventQuery> & { readonly page: number } = {
  ...{ channels: ['a'], workflowIds: ['a'], emails: ['a'], subscriberIds: ['a'], severity: ['a'], contextKeys: ['a'] },
  ...{ transactionId: 'a', topicKey: 'a', after: new Date(0), before: new Date(1), limit: 1, page: 1 },
};
const MESSAGES: Required<MessageQuery> = {
  ...{ channel: 'a', subscriberId: 'a', transactionIds: ['a'], contextKeys: ['a'], page: 1, limit: 1 },
};
const SUBSCRIPTIONS: Required<SubscriptionQuery> = {
  ...{ after: 'a', before: 'a', limit: 1, orderDirection: 'ASC', orderBy: 'a', includeCursor: true, subscriberId: 'a' },
};
const ITEM: TriggerItem = {
  ...{ workflow: 'a', subscriberId: 'a', transactionId: 'a', payload: new Payload({}) },
  profile: new Payload({ firstName: 'a' }),
  options: { overrides: new Payload({}), actor: 'a', tenant: 'a', context: { a: 'b' } },
};
const CREDENTIALS = { providerId: 'a', integrationIdentifier: 'a', credentials: {} };

/** Each operation as the client creates it, with every parameter given. */
const MADE = {
  updateCredentials: operations.updateCredentials('{subscriberId}', CREDENTIALS, 'key'),
  listTopicSubscriptions: operations.listTopicSubscriptions('{topicKey}', SUBSCRIPTIONS),
  listIntegrations: operations.listIntegrations(),
  listMessages: operations.listMessages(MESSAGES),
  listEvents: operations.listEvents(EVENTS),
  triggerEvents: operations.triggerEvents([ITEM], 'key'),
  retrieveEvent: operations.retrieveEvent('{notificationId}'),
};

type Name = keyof typeof OPERATIONS;
const contract: [Name, ContractOperation][] = Object.entries(OPERATIONS) as [Name, ContractOperation][];

/** Returns the parameter names that the client sends in an operation's path, query and body. */
function parametersOf(name: Name): string[] {
  const made = MADE[name];
  const url = new URL(made.path, 'http://service');
  const inPath = [...decodeURIComponent(url.pathname).matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const inBody = 'body' in made ? Object.keys(made.body) : [];
  return [...inPath, ...url.searchParams.keys(), ...inBody].sort();
}

describe('the operations of the contract', () => {
  test('are all in the client, and it has no others', () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(OPERATIONS).sort());
    for (const [name, { method, path }] of contract) {
      const made = MADE[name];
      expect([made.method, decodeURIComponent(new URL(made.path, 'http://service').pathname)]).toEqual([method, path]);
    }
  });

  test.each(contract)('are documented with each parameter: %s', (name, { method, path, parameters }) => {
    const heading = `\`${method} ${path}\``;
    expect(namesUnder(heading)).toEqual([...parameters].sort());
    expect(usedUnder(heading)).toEqual(parametersOf(name));
  });

  test('are documented with each field that is sent', () => {
    for (const [type, fields] of Object.entries(SENT_TYPES)) {
      expect(namesUnder(`${type} (sent)`)).toEqual([...fields].sort());
    }
    const [event = {}] = MADE.triggerEvents.body.events;
    expect(usedUnder('Trigger event item (sent)')).toEqual(Object.keys(event).sort());
    expect(usedUnder('ChannelCredentials (sent)')).toEqual([...CREDENTIAL_FIELDS].sort());
  });

  test.each(
    rowsUnder('Subscriber definition (sent)').flatMap(({ names, used }) => names.map((name) => [name, used === 'yes'])),
  )('accept %s in a profile: %s', (name, isTaken) => {
    const row = (content: object) => ({
      subscriberId: 'user-1',
      content: { ...content },
      place: { part: 0, line: 1, column: 1 },
    });
    const value = name === 'data' ? {} : 'a';
    const { mistakes } = parseProfiles([row({ [`${name}`]: value })], [row({})]);
    expect(mistakes.length === 0 || name === 'subscriberId').toBe(isTaken);
  });
});

/**
 * The page's word for a field that no surface shows. If only a surface's button carries a field, the page names the button, such as 'topic
 * button'.
 */
const NOWHERE = 'no';

interface CheckResult {
  readonly seenOn: readonly string[];
  /** Surfaces that change with the field although they don't show it. */
  readonly changes: readonly string[];
}

/** Plants a value in a field of every response that has it. Returns which surfaces show it and which ones change. */
async function findOut(planted: Planted, usual: Usual, service: AnsweringService): Promise<CheckResult> {
  const given = answersWith(planted);
  const changed = (Object.keys(given) as (keyof Answers)[]).filter(
    (name) => JSON.stringify(given[name]) !== JSON.stringify(usual.answers[name]),
  );
  service.answer(given);
  const sights = await drawn(service.url, changed);
  const field = TYPES[planted.type]?.[planted.field];
  if (field === undefined) throw new Error(`There is no ${planted.field} in ${planted.type}.`);
  const found = [...sights].map(([surface, sight]) => {
    const before = usual.sights.get(surface) ?? { words: '', carried: '' };
    const looked = lookedFor(surface, planted.field, field);
    const isNew = (now: string, then: string) => now.includes(looked) && !then.includes(looked);
    const isSame = sight.words === before.words && sight.carried === before.carried;
    if (isNew(sight.words, before.words)) return { seen: [surface], changed: [] };
    if (isNew(sight.carried, before.carried)) return { seen: [`${surface} button`], changed: [] };
    return { seen: [], changed: isSame ? [] : [surface] };
  });
  return { seenOn: found.flatMap(({ seen }) => seen), changes: found.flatMap(({ changed: one }) => one) };
}

interface Usual {
  readonly answers: Answers;
  readonly sights: ReadonlyMap<string, Sight>;
}

type AnsweringService = Awaited<ReturnType<typeof answeringService>>;

/** Returns the surfaces that the page says show each field. */
function surfacesOf(type: string): ReadonlyMap<string, readonly string[]> {
  const rows = rowsUnder(type).flatMap(({ names, used }) =>
    names.map((name) => [name, used === NOWHERE ? [] : used.split(', ')] as const),
  );
  return new Map(rows);
}

describe('a value planted in a field of a response', { timeout: 120_000 }, () => {
  let service: AnsweringService;
  let usual: Usual;
  beforeAll(async () => {
    service = await answeringService();
    const answers = answersWith(null);
    service.answer(answers);
    usual = { answers, sights: await drawn(service.url, Object.keys(answers) as (keyof Answers)[]) };
  });
  afterAll(() => service.close());

  test.each(Object.keys(TYPES))('is shown where docs/operations.md says, and nowhere else: %s', async (type) => {
    const fields = Object.keys(TYPES[type] ?? {});
    expect(namesUnder(type), `the fields documented under "### ${type}"`).toEqual([...fields].sort());
    const told = surfacesOf(type);
    const seen: Record<string, string> = {};
    for (const field of fields) {
      const { seenOn, changes } = await findOut({ type, field }, usual, service);
      // A field that is shown nowhere must not change a surface in another way either, unless the page says why.
      const trace = seenOn.length === 0 && changes.length > 0 ? [`no, but changes ${changes.join(', ')}`] : [];
      seen[field] = [...seenOn, ...trace].sort().join(', ');
    }
    expect(seen).toEqual(
      Object.fromEntries(fields.map((field) => [field, [...(told.get(field) ?? [])].sort().join(', ')])),
    );
  });
});

describe('docs/operations.md', () => {
  test('names every tested surface, and no others', () => {
    expect(namesUnder('Surfaces')).toEqual(Object.keys(SURFACES).sort());
  });

  test('says where each name is shown, or why not', () => {
    for (const rows of documented.values()) for (const { where } of rows) expect(where).not.toBe('');
  });

  test("has no type that the contract doesn't have", () => {
    const known = [
      'Surfaces',
      ...contract.map(([, { method, path }]) => `\`${method} ${path}\``),
      ...Object.keys(SENT_TYPES).map((type) => `${type} (sent)`),
      ...Object.keys(TYPES),
    ];
    const headings = [...documented].filter(([, rows]) => rows.length > 0).map(([heading]) => heading);
    expect(headings.filter((heading) => !known.includes(heading))).toEqual([]);
  });
});
