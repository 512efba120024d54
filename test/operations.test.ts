import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CREDENTIAL_FIELDS } from '../src/domain/credentials.ts';
import type { MessageQuery } from '../src/domain/message.ts';
import { Payload } from '../src/domain/payload.ts';
import type { EventQuery, TriggerItem } from '../src/domain/query.ts';
import type { SubscriptionQuery } from '../src/domain/subscription.ts';
import { readProfiles } from '../src/domain/trigger-profiles.ts';
import * as operations from '../src/notification-service/operations.ts';
import { answers, type ContractOperation, type Describe, OPERATIONS, SENT_TYPES, waitingEvent } from './contract.ts';
import { ROOT } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** A row of a table below a heading: what it is about, 'yes' or 'no', and where it is shown or why it is not. */
interface Row {
  readonly names: readonly string[];
  readonly isUsed: boolean;
  readonly where: string;
}

/** The rows of the tables of the page, by the heading above them. */
function tables(): ReadonlyMap<string, readonly Row[]> {
  const parts = page.split(/^#{2,3} /m).slice(1);
  return new Map(parts.map((part) => [part.split('\n')[0] ?? '', [...part.matchAll(/^\| (`.*)\|$/gm)].map(rowOf)]));
}

function rowOf([, line = '']: RegExpMatchArray): Row {
  const [names = '', used = '', where = ''] = line.split('|').map((cell) => cell.trim());
  expect(['yes', 'no']).toContain(used);
  return { names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name), isUsed: used === 'yes', where };
}

const documented = tables();
const rowsUnder = (heading: string) => documented.get(heading) ?? [];
const namesUnder = (heading: string) =>
  rowsUnder(heading)
    .flatMap(({ names }) => names)
    .sort();
const usedUnder = (heading: string) =>
  rowsUnder(heading)
    .flatMap(({ names, isUsed }) => (isUsed ? names : []))
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

/** Each operation as the client makes it, with all that it can be given. */
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

/** The names of what an operation is made with: in its path, its query and its body. */
function parametersOf(name: Name): string[] {
  const made = MADE[name];
  const url = new URL(made.path, 'http://service');
  const inPath = [...decodeURIComponent(url.pathname).matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const inBody = 'body' in made ? Object.keys(made.body) : [];
  return [...inPath, ...url.searchParams.keys(), ...inBody].sort();
}

describe('the operations of the contract', () => {
  it('are all made by the client, and no other', () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(OPERATIONS).sort());
    for (const [name, { method, path }] of contract) {
      const made = MADE[name];
      expect([made.method, decodeURIComponent(new URL(made.path, 'http://service').pathname)]).toEqual([method, path]);
    }
  });

  it.each(contract)('are documented with each parameter: %s', (name, { method, path, parameters }) => {
    const heading = `\`${method} ${path}\``;
    expect(namesUnder(heading)).toEqual([...parameters].sort());
    expect(usedUnder(heading)).toEqual(parametersOf(name));
  });

  it('are documented with each field of what is sent', () => {
    for (const [type, fields] of Object.entries(SENT_TYPES)) {
      expect(namesUnder(`${type} (sent)`)).toEqual([...fields].sort());
    }
    const [event = {}] = MADE.triggerEvents.body.events;
    expect(usedUnder('Trigger event item (sent)')).toEqual(Object.keys(event).sort());
    expect(usedUnder('ChannelCredentials (sent)')).toEqual([...CREDENTIAL_FIELDS].sort());
  });

  it.each(
    rowsUnder('Subscriber definition (sent)').flatMap(({ names, isUsed }) => names.map((name) => [name, isUsed])),
  )('take %s of a profile: %s', (name, isTaken) => {
    const row = (content: object) => ({
      subscriberId: 'user-1',
      content: { ...content },
      place: { part: 0, line: 1, column: 1 },
    });
    const value = name === 'data' ? {} : 'a';
    const { mistakes } = readProfiles([row({ [`${name}`]: value })], [row({})]);
    expect(mistakes.length === 0 || name === 'subscriberId').toBe(isTaken);
  });
});

/** What each type of an answer holds, and what of it is read. */
interface Reading {
  readonly fields: Map<string, Set<string>>;
  readonly read: Map<string, Set<string>>;
}

/** An object that notes which of its fields are looked at. */
function noting({ fields, read }: Reading): Describe {
  const note = (into: Map<string, Set<string>>, type: string, names: readonly string[]) =>
    into.set(type, new Set([...(into.get(type) ?? []), ...names]));
  return (type, values) => {
    note(fields, type, Object.keys(values));
    return new Proxy(values, {
      get: (target, field) => {
        if (typeof field === 'string' && field in target) note(read, type, [field]);
        return Reflect.get(target, field);
      },
    });
  };
}

/** Reads one answer of each operation, in which every field of the contract stands. */
function readEverything(): Reading {
  const reading: Reading = { fields: new Map(), read: new Map() };
  const a = noting(reading);
  const given = answers(a);
  const outcomes = [
    ...Object.entries(given).map(([name, answer]) => MADE[name as Name].read(answer)),
    MADE.retrieveEvent.read(waitingEvent(a)),
  ];
  expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
  return reading;
}

describe('the fields of the contract', () => {
  const { fields, read } = readEverything();

  it.each([...fields])('are documented, read or not: %s', (type, names) => {
    expect(namesUnder(type)).toEqual([...names].sort());
    expect(usedUnder(type)).toEqual([...(read.get(type) ?? [])].sort());
  });
});

describe('docs/operations.md', () => {
  it('says of everything where it is shown, or why not', () => {
    for (const rows of documented.values()) for (const { where } of rows) expect(where).not.toBe('');
  });

  it('speaks of no type that the contract does not have', () => {
    const known = [
      ...contract.map(([, { method, path }]) => `\`${method} ${path}\``),
      ...Object.keys(SENT_TYPES).map((type) => `${type} (sent)`),
      ...readEverything().fields.keys(),
    ];
    const headings = [...documented].filter(([, rows]) => rows.length > 0).map(([heading]) => heading);
    expect(headings.filter((heading) => !known.includes(heading))).toEqual([]);
  });
});
