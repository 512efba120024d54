import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plantedSecrets } from '../../sandbox/service/provider-failures.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { openDb } from '../../src/store/open.ts';
import { storedRows } from '../../src/store/store.testing.ts';
import { CONFIGURED, CONTACTS, ECHOES, PASTED, visitEverySurface } from '../support/every-surface.ts';
import { markupIn, textOf, textsWith } from '../support/evidence.ts';
import { CREDENTIALS } from '../support/give-credentials.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { CUSTOMERS_EVENT, lastName, payload, privatePayloadText, unused } from '../support/secretive-events.ts';
import { TYPED } from '../support/send-secrets.ts';
import type { World } from '../support/world.ts';

/** The test visits every surface, which takes a busy machine a while. */
const A_LONG_STORY_MS = 600_000;

describe('private data', () => {
  let world: World;
  let rows: readonly string[];
  beforeAll(async () => {
    world = await visitEverySurface();
    const store = await openDb({ kind: 'server', url: world.variables.DATABASE_URL ?? '' }, { logger: silent });
    rows = await storedRows(store.db);
    await store.close();
  }, A_LONG_STORY_MS);
  afterAll(() => world.close());

  const calls = () => world.slack.calls.all();
  const secrets = () => {
    const { slack, service } = world;
    const known = [...Object.values({ ...plantedSecrets, ...CONFIGURED, ...TYPED }), ...CREDENTIALS, lastName];
    return [...known, ...ECHOES, slack.botToken, slack.appToken, slack.signingSecret, service.apiKey];
  };
  /** Includes Slack's response URLs, which are webhooks too. */
  const neverKept = () =>
    [...secrets(), ...CONTACTS, unused, privatePayloadText, PASTED].concat(`${world.slack.url}/response/`);

  test('that is secret reaches Slack in no message, modal or answer', () => {
    expect(textsWith(secrets(), calls().map(textOf))).toEqual([]);
  });

  test("in fields that Notif doesn't use appears only in View raw, for the person who opens it", () => {
    const showing = calls().filter((call) => textOf(call).includes(unused));
    expect(showing.filter((call) => !textOf(call).includes('"text":"Raw event"'))).toEqual([]);
    expect([...new Set(showing.map(({ method }) => method))]).toEqual(['views.update']);
  });

  test('is in no line of the log at its most verbose level', () => {
    const lines = world.log.saying('').map((line) => JSON.stringify(line));
    expect(lines.filter((line) => line.includes('"level":"debug"'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('"operation":"updateCredentials"'))).not.toEqual([]);
    expect(textsWith(neverKept(), lines)).toEqual([]);
  });

  test('is in no row of the database', () => {
    expect(rows.some((row) => row.includes(CUSTOMERS_EVENT))).toBe(true);
    // One for each time that ann has submitted credentials.
    expect(rows.filter((row) => /^audit .*"action": ?"credentials"/.test(row))).toHaveLength(10);
    expect(textsWith(neverKept(), rows)).toEqual([]);
  });

  test('in contacts and names is shown only as far as needed to distinguish people', async () => {
    const shared = await world.ben.sees(`Event ${CUSTOMERS_EVENT}`);
    expect(shared.words).toContain('D. G. · d•••@customer.sandbox.example · •••77');
  });

  test('in payloads appears only to the person who asks for it', () => {
    const showing = calls().filter((call) => textOf(call).includes(privatePayloadText));
    expect([...new Set(showing.map(({ method }) => method))]).toEqual(['views.update']);
    expect(world.ben.modal()).toBeUndefined();
  });

  test('that is the ID of a subscriber is in no message for everybody', () => {
    const seen = [GENERAL, ONCALL]
      .flatMap((channel) => world.ben.messages(channel))
      .map((message) => JSON.stringify(message));
    expect(seen.some((message) => message.includes('more incidents'))).toBe(true);
    expect(textsWith(CONTACTS, seen)).toEqual([]);
  });

  test('written by strangers never becomes markup in a message', () => {
    const read = calls().flatMap(markupIn);
    expect(read).toContainEqual(expect.stringContaining('<@U0VICTIM>'));
    // Mentions, links and bold text, but for Notif's own: who and where, and the catalog's pages.
    const foreignMarkup =
      /⟨(?!user U0ANN⟩|channel C0(?:ONCALL|GENERAL)⟩|Status page: https:\/\/status\.sendgrid\.com\/⟩|Documentation: https:\/\/www\.rfc-editor\.org\/).*?⟩|(?<!∗)bold(?!∗)/gu;
    expect(read.flatMap((text) => text.match(foreignMarkup) ?? [])).toEqual([]);
    expect(calls().filter((call) => textOf(call).includes('\u202E'))).toEqual([]);
  });

  test('is sent back whole, once, to the service that it came from', () => {
    const sent = world.service.requests.filter(({ body }) => JSON.stringify(body ?? null).includes(privatePayloadText));
    expect(sent).toMatchObject([
      { operation: 'triggerEvents', body: { events: [{ name: 'password-reset', payload }] } },
    ]);
  });
});
