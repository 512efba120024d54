import { readdirSync, readFileSync } from 'node:fs';
import type { App } from '@slack/bolt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { delivered, failed, partlyFailed } from '../../sandbox/notification-service/examples.ts';
import { type LocalService, startLocalService } from '../../sandbox/notification-service/server.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { botOf, clientOf, startSlack } from '../../sandbox/slack/testing.ts';
import type { Permission } from '../domain/access/membership.ts';
import { createSeal } from '../domain/access/seal.ts';
import { explainCause } from '../domain/causes/explain-cause.ts';
import { ALL_RECHECKED } from '../domain/polling/check.ts';
import { aWorkflow } from '../domain/service/event.testing.ts';
import { createNotificationService } from '../notification-service/client.ts';
import { createLimiter } from '../notification-service/limits.ts';
import { createPublisher } from '../slack/digest/publisher.ts';
import { helpFlow } from '../slack/help/listeners.ts';
import { createAccessControl } from '../slack/interactions/authorization.ts';
import { registerRoutes } from '../slack/interactions/register.ts';
import { aDigest, aRow, PRODUCTION, STAGING, wordsOf } from '../slack/slack.testing.ts';
import { createProgressReporter } from '../slack/trigger/publisher.ts';
import { createPostNotice } from '../slack/watches/publisher.ts';
import { createChannels } from '../slack/workspace/channels.ts';
import { createUserGroups } from '../slack/workspace/user-groups.ts';
import { createWorkspace } from '../slack/workspace/workspace.ts';
import { keptStore, silent } from '../store/store.testing.ts';
import type { Store } from '../store/store.ts';
import { requireOperator } from '../use-cases/access/require-operator.ts';
import { createFlows } from './flows.ts';
import type { SlackParts } from './slack-parts.ts';

const ONCALL = 'C0ONCALL';
const ANN = 'U0ANN';

const openReply = { show: async () => {}, replace: async () => {}, stillWorking: async () => {}, share: null };

/** Returns the action IDs in the calls that build buttons, by the constants that they name. */
function drawnButtons(): { file: string; id: string }[] {
  const files = readdirSync('src/slack', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(file))
    .map((file) => ({ file, source: readFileSync(`src/slack/${file}`, 'utf8') }));
  const idsIn = (source: string, name: string) =>
    [...source.matchAll(new RegExp(`\\bconst ${name} = '([a-z-]+\\.[a-z.-]+)'`, 'g'))].map(([, id = '']) => id);
  return files.flatMap(({ file, source }) => {
    const calls = source.match(/\b\w*[bB]utton\w*\([^\n]*/g) ?? [];
    const names = new Set(calls.flatMap((call) => call.match(/\b[A-Z][A-Z_]+\b/g) ?? []));
    return [...names].flatMap((name) => {
      const own = idsIn(source, name);
      return (own.length > 0 ? own : files.flatMap((other) => idsIn(other.source, name))).map((id) => ({ file, id }));
    });
  });
}

/**
 * Runs every flow through its routes with real Bolt, a local Slack and a local service. Only a digest and the workflows are fixed values.
 */
describe('Slack flows', () => {
  let slack: LocalSlack;
  let app: App;
  let production: LocalService;
  let staging: LocalService;
  const stopping = new AbortController();
  const digestRows = Array.from({ length: 12 }, (_, episodeId) => aRow({ episodeId }));

  const kept = keptStore();
  const store = (): Store => ({
    ...kept(),
    polling: {
      ...kept().polling,
      workflows: async () => [
        aWorkflow({ identifier: 'order-shipped', name: 'Order shipped', variables: ['orderNumber'] }),
      ],
    },
    deliveries: {
      ...kept().deliveries,
      digestRows: async (_id, { offset, limit }) => ({ rows: digestRows.slice(offset, offset + limit), total: 12 }),
    },
  });

  beforeAll(async () => {
    slack = await startSlack();
    production = await startLocalService();
    staging = await startLocalService({ seed: 2 });
    app = botOf(slack);
    const parts = partsOf();
    registerRoutes(app, createFlows(parts).routes, parts);
    await app.start();
  });
  afterAll(async () => {
    stopping.abort();
    await app.stop();
    await Promise.all([slack.close(), production.close(), staging.close()]);
  });

  /** The last message Ann saw before the test, by channel. */
  const before = new Map<string, string>();
  beforeEach(() => {
    for (const channel of [ONCALL, 'D0ANN']) before.set(channel, ann().sees(channel).at(-1)?.ts ?? '');
  });
  afterEach(async () => {
    slack.faults.clear();
    for (let view = ann().view(); view !== undefined; view = ann().view()) await ann().closes(view.id);
  });

  /** Nothing takes too long here. */
  const forever = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));

  function partsOf(): SlackParts {
    const client = clientOf(slack);
    const environments = [PRODUCTION, STAGING];
    const operators = { who: 'listed', users: [ANN], groups: [] } as const;
    const groups = createUserGroups({ client, logger: silent, now: () => new Date(), sleep: forever });
    const services = new Map(
      [
        { environment: PRODUCTION, local: production },
        { environment: STAGING, local: staging },
      ].map(({ environment, local }) => [
        environment.name,
        createNotificationService({
          environment,
          url: local.url,
          apiKey: () => local.apiKey,
          logger: silent,
          limiter: createLimiter(),
        }),
      ]),
    );
    const first = services.get('production');
    if (first === undefined) throw new Error('there is no production');
    return {
      environments,
      explainCause,
      client,
      wakeAnnouncing: async () => {},
      wakeDelivery: async () => {},
      checkNow: async () => ({ outcome: 'checked', problem: null, notRechecked: ALL_RECHECKED }),
      operators,
      accessControl: createAccessControl({
        client,
        homeTeam: () => ({ teamId: 'T0SANDBOX', enterpriseId: null }),
        guests: 'refuse',
        requireOperator: (userId) => requireOperator(userId, operators, groups),
        logger: silent,
        now: () => new Date(),
        sleep: forever,
      }),
      seal: createSeal('xoxb-secret'),
      groups,
      workspace: createWorkspace({ client, now: () => new Date() }),
      channels: createChannels({ client, logger: silent, now: () => new Date() }),
      tokenChecks: { bot: async () => ({ is: 'taken', scopes: [], clockAheadMs: 0 }), app: null },
      neededScopes: {},
      hasHeartbeat: false,
      warnings: [],
      postNotice: createPostNotice(client),
      serviceOf: (name) => services.get(name) ?? first,
      store: store(),
      reporter: createProgressReporter({
        client,
        deliveryClient: client,
        environments,
        logger: silent,
      }),
      logger: silent,
      now: () => new Date(),
      newId: crypto.randomUUID.bind(crypto),
      newReference: () => '7F3K2',
      retentionDays: 30,
      horizonMs: 72 * 3_600_000,
      pollMs: 60_000,
      database: 'embedded',
      slackStatus: () => ({ isConnected: true, lastTrouble: null }),
      loadOf: () => ({
        waiting: 0,
        waitingPeople: 0,
        running: 0,
        remaining: null,
        heldForMs: 0,
      }),
      running: { version: '1.2.3', startedAt: new Date() },
      signal: stopping.signal,
      // Following a trigger waits while the service's clock advances; nobody waits long enough to see "Still working".
      sleep: async (ms, signal) => {
        if (signal === stopping.signal) production.advance(ms);
        else if (signal !== undefined)
          await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      },
    };
  }

  const ann = () => slack.workspace.as(ANN);

  /** Waits for a message that Ann has seen since the test began and that contains these words. */
  function message(words: string, channel = ONCALL) {
    const fresh = () =>
      ann()
        .sees(channel)
        .filter(({ ts }) => ts > (before.get(channel) ?? ''));
    return slack.workspace.until(() => fresh().findLast((one) => wordsOf(one).includes(words)), { what: words });
  }

  /** Waits until the modal on top contains these words. */
  function modal(words: string, instead: string | null = null) {
    const look = () => {
      const view = ann().view();
      return view !== undefined && view.id !== instead && JSON.stringify(view.view).includes(words) ? view : undefined;
    };
    return slack.workspace.until(look, { what: words });
  }

  const at = ({ ts }: { ts: string }) => ({ channel: ONCALL, ts });

  async function eventCard(plan = failed('email', { subscriber: 'user-1' })) {
    const event = production.world.plantEvent(plan);
    await ann().types(ONCALL, `/notif event ${event._id}`);
    return { event, card: await message(`Event ${event._id}`) };
  }

  test('have a route for each button that Notif draws', () => {
    const routes = createFlows(partsOf()).routes.flatMap((route) => (route.surface === 'action' ? [route.id] : []));
    expect(drawnButtons().filter(({ id }) => !routes.includes(id))).toEqual([]);
  });

  describe('help', () => {
    test('lists the commands that an operator can use', async () => {
      await ann().types(ONCALL, '/notif');
      const words = wordsOf(await message('looks up what happened'));
      for (const word of ['event', 'failures', 'trigger', 'status', 'help']) expect(words).toContain(`/notif ${word}`);
      expect(words).toContain('commands in this channel use production; others: env:staging');
    });

    test.each(['/notif help watch', '/notif watch --help'])('explains one command: %s', async (typed) => {
      await ann().types(ONCALL, typed);
      const words = wordsOf(await message('/notif watch channel:email min:5'));
      expect(words).not.toContain('/notif failures');
    });

    test('suggests a command for a mistyped one', async () => {
      await ann().types(ONCALL, '/notif help wach');
      expect(wordsOf(await message('There is no command wach.'))).toContain('Did you mean watch?');
    });

    test("lists operator commands when Slack doesn't say who is in a group", async () => {
      const accessControl = {
        authorize: async () => {},
        canUse: async (_userId: string, access: string) => (access === 'operators' ? 'unknown' : 'yes') as Permission,
      };
      const trigger = {
        word: 'trigger',
        usage: '',
        about: 'send a test',
        examples: [],
        filters: [],
        answer: async () => {},
      };
      const shown: string[] = [];
      const others = [{ ...trigger, for: 'operators' as const }];
      const [help] = helpFlow(others, {
        ...partsOf(),
        store: store().watches,
        environments: [PRODUCTION],
        accessControl,
      }).commands;
      const reply = { ...openReply, show: async ({ text }: { text: string }) => void shown.push(text) };
      const interaction = {
        userId: ANN,
        channelId: ONCALL,
        threadTs: null,
        answerUrl: null,
        text: '',
        reply,
        openModal: () => Promise.reject(new Error()),
      };
      await help?.answer({ words: [], filters: {}, environment: PRODUCTION, timeZone: 'UTC' }, interaction);
      expect(shown).toEqual([
        "Notif's commands: /notif trigger, send a test; /notif help, this list, or how to use one command.",
      ]);
    });

    test('leaves out operator commands for everyone else', async () => {
      await slack.workspace.as('U0BEN').types(ONCALL, '/notif help');
      const seen = () =>
        slack.workspace
          .as('U0BEN')
          .sees(ONCALL)
          .find((one) => wordsOf(one).includes('looks up what happened'));
      const words = wordsOf(await slack.workspace.until(seen, { what: 'help' }));
      expect(words).not.toContain('/notif trigger');
      expect(words).toContain('Operators can do more here');
    });
  });

  describe('an event', () => {
    test('is refreshed in place', async () => {
      const { card } = await eventCard();
      await ann().clicks(at(card), { text: 'Refresh' });
      await slack.workspace.until(() => slack.calls.of('response_url').at(-1)?.args.replace_original === true, {
        what: 'a replacement',
      });
    });

    test('is shared with everyone, with the name of the person who shared it', async () => {
      const { card } = await eventCard();
      await ann().clicks(at(card), { text: 'Share' });
      expect(await message('Shared by <@U0ANN>')).toMatchObject({ onlyVisibleTo: null });
    });

    test('is shown raw, page by page, with secrets removed', async () => {
      const jobs = Array.from({ length: 60 }, () => failed('email').jobs ?? []).flat();
      const { card } = await eventCard({ jobs, payload: { password: 'hunter2', note: 'kept' } });
      await ann().clicks(at(card), { text: 'View raw' });
      const first = await modal('Page 1 of');
      expect(JSON.stringify(first.view)).not.toContain('hunter2');
      await ann().clicks({ viewId: first.id }, { text: 'Next page' });
      await modal('Page 2 of');
    });

    test("is found in another environment when the channel's has none", async () => {
      const event = staging.world.plantEvent(delivered());
      await ann().types(ONCALL, `/notif ${event._id}`);
      const nothing = await message('staging has an event with this ID.');
      await ann().clicks(at(nothing), { text: 'Look up' });
      expect(wordsOf(await message(`Event ${event._id}`))).toContain('staging · ✅ Delivered');
    });

    test('is found from anywhere, in a modal', async () => {
      const event = production.world.plantEvent(delivered());
      await ann().choosesShortcut('find_notification');
      const { id } = await modal('What to look for');
      await ann().fillsIn(id, { 'What to look for': event._id });
      await ann().submits(id);
      const shown = await modal(`Event \`${event._id}`);
      expect(JSON.stringify(shown.view)).not.toContain('"Share"');
    });

    test('can be picked from several IDs in a message', async () => {
      const events = [production.world.plantEvent(delivered()), production.world.plantEvent(delivered())];
      const text = `two: ${events.map(({ _id }) => _id).join(' and ')}`;
      const { ts = '' } = await clientOf(slack).chat.postMessage({ channel: ONCALL, text });
      await ann().choosesMessageShortcut('look_up_notification', ONCALL, ts);
      const choice = await message('2 IDs are in this text');
      await ann().clicks(at(choice), { text: 'Look up', nth: 1 });
      await message(`Event ${events[1]?._id}`);
    });
  });

  describe('failures', () => {
    test("are found in the service's list, and can be shared", async () => {
      production.world.plantEvent(failed('sms', { subscriber: 'user-9' }));
      await ann().types(ONCALL, '/notif failures channel:sms');
      const answer = await message('failure');
      expect(wordsOf(answer)).toContain('Only channel sms');
      await ann().clicks(at(answer), { text: 'Share' });
      expect(await message('Shared by')).toMatchObject({ onlyVisibleTo: null });
    });

    test("reject a filter that they can't apply, by name", async () => {
      await ann().types(ONCALL, '/notif failures min:5');
      await message("/notif failures can't filter by min:");
    });

    test('reject an unknown environment and name the known ones', async () => {
      await ann().types(ONCALL, '/notif failures env:prod');
      await message('There is no environment prod. There are: production, staging.');
    });
  });

  describe('a digest', () => {
    test('shows the incidents beyond its rows, page by page, to the person who asks', async () => {
      const publisher = createPublisher({
        deliveryClient: clientOf(slack),
        environments: [PRODUCTION],
        explainCause,
        logger: silent,
      });
      const rows = digestRows.slice(0, 2);
      const content = aDigest({ id: 'd1', channel: ONCALL, rows, moreIncidents: 10, reasons: { new: 12 } });
      await publisher.post(content, { possibleRepeat: false });
      await ann().clicks(at(await message('12 new incidents')), { text: 'Show more' });
      const shown = await message('incidents 3–12 of 12 announced');
      expect(shown.onlyVisibleTo).toBe(ANN);
      await ann().clicks(at(shown), { text: 'Previous incidents' });
      expect((await message('incidents 1–10 of 12 announced')).ts).toBe(shown.ts);
    });
  });

  describe('a trigger', () => {
    /** Opens a form, instead of the one that the test before may have left open. */
    async function openForm(text = '/notif trigger') {
      const left = ann().view()?.id ?? null;
      await ann().types(ONCALL, text);
      return (await modal('Subscribers', left)).id;
    }

    /** Returns the payloads that Notif asked the service to send. */
    const sentTo = (service: LocalService) =>
      service.requests.filter(({ operation }) => operation === 'triggerEvents').map(({ body }) => JSON.stringify(body));

    test("is previewed, then sent, and followed in a direct message until it's done", async () => {
      const view = await openForm('/notif trigger order-shipped');
      await ann().fillsIn(view, { Subscribers: 'user-1\nuser-2', Payload: '{"orderNumber": "A-17"}' });
      expect((await ann().submits(view)).errors).toEqual({});
      await modal('Preview · 2 events');
      await ann().fillsIn(view, { Preview: 'Yes, send them' });
      expect(sentTo(production)).toEqual([]);
      expect((await ann().submits(view)).errors).toEqual({});
      await modal('is sent to 2 rows');
      await message('2 of 2 done', 'D0ANN');
    });

    test('offers known workflows and the text that was typed', async () => {
      const view = await openForm();
      const labels = async (typed: string) =>
        (await ann().typesInSelect(view, 'trigger.workflow', typed)).map((option) => JSON.stringify(option.text));
      expect(await labels('ship')).toEqual([
        expect.stringContaining('order-shipped'),
        expect.stringContaining('Use “ship”'),
      ]);
    });

    test("prefills the chosen workflow's template, and keeps what was typed", async () => {
      const view = await openForm();
      await ann().fillsIn(view, { Workflow: 'order-shipped' });
      await modal('orderNumber');
      await ann().fillsIn(view, { Payload: '{"mine": "kept"}', Environment: 'staging' });
      await modal('trigger.workflow:staging');
      await ann().fillsIn(view, { Workflow: 'order-shipped', Subscribers: 'user-1' });
      await ann().submits(view);
      await expect.poll(() => sentTo(staging)).toEqual([expect.stringContaining('"mine":"kept"')]);
    });

    test("shows errors under the form's fields", async () => {
      const view = await openForm('/notif trigger order-shipped');
      await ann().fillsIn(view, { Subscribers: 'user-1', Payload: '{' });
      const { errors } = await ann().submits(view);
      expect(Object.values(errors)).toEqual([expect.stringContaining("This isn't JSON")]);
    });

    test('is sent once even if its form is submitted twice', async () => {
      const view = await openForm('/notif trigger order-shipped');
      await ann().fillsIn(view, { Subscribers: 'user-once' });
      await Promise.all([ann().submits(view), ann().submits(view)]);
      await message("This form was submitted already: it's sent only once.");
      expect(sentTo(production).filter((body) => body.includes('user-once'))).toHaveLength(1);
    });

    test('is refused to a non-operator, naming whom to ask', async () => {
      const ben = slack.workspace.as('U0BEN');
      await ben.types(ONCALL, '/notif trigger');
      const refusal = () => ben.sees(ONCALL).find(({ text }) => text.includes('Only operators can do this.'));
      expect((await slack.workspace.until(refusal, { what: 'a refusal' })).text).toContain('Ask <@U0ANN>');
    });

    test('reports that nothing was sent when the service refuses it', async () => {
      const view = await openForm('/notif trigger no-such-workflow');
      await ann().fillsIn(view, { Subscribers: 'user-1' });
      production.faults.set('triggerEvents', { kind: 'status', status: 401 });
      await ann().submits(view);
      expect(wordsOf(await message('Nothing was sent.'))).toContain('the API key was refused');
      production.faults.clear();
    });

    test('is sent again with the original payload', async () => {
      const { card } = await eventCard(
        partlyFailed({ subscriber: 'user-1', payload: { orderNumber: 'A-17', apiKey: 'sk_live_1234567890abcdef' } }),
      );
      await ann().clicks(at(card), { text: 'Send again' });
      const { id } = await modal('delivered once more by this: *In-app');
      await ann().submits(id);
      await expect.poll(() => sentTo(production).at(-1)).toContain('"apiKey":"sk_live_1234567890abcdef"');
    });

    test('is sent again with a new payload, which the form then asks for', async () => {
      const { card } = await eventCard();
      await ann().clicks(at(card), { text: 'Send again' });
      const { id } = await modal('Not carried over');
      await ann().fillsIn(id, { 'What to send': 'Edit before sending' });
      await modal('Payload');
      await ann().fillsIn(id, { Payload: '{"again": "yes"}' });
      await ann().submits(id);
      await expect.poll(() => sentTo(production).at(-1)).toContain('"again":"yes"');
    });
  });
});
