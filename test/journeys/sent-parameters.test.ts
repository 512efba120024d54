import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import type { RecordedRequest } from '../../sandbox/notification-service/request-log.ts';
import { OPERATIONS, SENT_TYPES } from '../contract.ts';
import { ROOT } from '../source-code.ts';
import { openWorld, type World } from '../support/world.ts';

type Operation = keyof typeof OPERATIONS;
/** What one of a parameter's values has to be. */
type Query = Readonly<Record<string, RegExp>>;

/** Of each operation, and of each type that is sent, the names that a typed command or a form brought to the service. */
const driven = new Map<string, Set<string>>();

function note(what: string, names: readonly string[]): void {
  driven.set(what, new Set([...(driven.get(what) ?? []), ...names]));
}

/** What a busy machine may take. */
const A_WHILE_MS = 120_000;

/** What docs/operations.md says is sent, below a heading. */
function documented(heading: string): string[] {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const part = page.split(/^#{2,3} /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const rows = [...part.matchAll(/^\| (`[^|]*) \| yes \|/gm)];
  return rows.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).sort();
}

describe('what somebody types reaches the service', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: { NOTIF_OPERATORS: '*' }, pace: 0.2 });
    const { service } = world;
    for (let n = 0; n < 12; n++) service.world.plantEvent(failed('sms', { subscriber: 'driven-1' }));
  });
  afterAll(() => world.close());

  const requests = (operation: Operation) =>
    world.service.requests.filter((request) => request.operation === operation);

  /** The values of a request's query that a parameter has, one or several. */
  const valuesIn = ({ query }: RecordedRequest, name: string) => [query[name] ?? []].flat();

  const has = (request: RecordedRequest, query: Query) =>
    Object.entries(query).every(([name, value]) => valuesIn(request, name).some((one) => value.test(one)));

  /** What was sent with these values in its query: Slack's answer comes after it. */
  const isAsked = (operation: Operation, query: Query) => {
    expect(requests(operation).filter((request) => has(request, query)).length, operation).toBeGreaterThan(0);
    note(operation, Object.keys(query));
  };

  const TIME = /^\d{4}-\d\d-\d\dT/;
  const failures: readonly (readonly [string, Query])[] = [
    ['channel:sms since:5h', { channels: /^sms$/, after: TIME, before: TIME, page: /^0$/, limit: /^50$/ }],
    ['severity:high since:5h', { severity: /^high$/ }],
    ['subscriber:driven-1 since:5h', { subscriberIds: /^driven-1$/ }],
    ['tx:txn_driven since:5h', { transactionId: /^txn_driven$/ }],
    ['topic:driven-topic', { topicKey: /^driven-topic$/ }],
    ['context:tenant:driven', { contextKeys: /^tenant:driven$/ }],
    ['email:driven@example.com', { emails: /^driven@example\.com$/ }],
  ];
  test.each(failures)(
    '/notif failures %s',
    async (line, query) => {
      // On a busy machine the poll that it waits for isn't there in time, and nothing older is asked for then.
      await expect
        .poll(
          async () => {
            await world.ann.asks(`/notif failures ${line}`);
            return requests('listEvents').some((request) => has(request, query));
          },
          { timeout: A_WHILE_MS, interval: 1_000 },
        )
        .toBe(true);
      isAsked('listEvents', query);
    },
    2 * A_WHILE_MS,
  );

  test('/notif event of a digest', async () => {
    const { service, ann } = world;
    const digest = service.world.plantEvent({ jobs: [{ type: 'digest' }] });
    await ann.asks(`/notif event ${digest._id}`);
    expect(requests('retrieveEvent').map(({ path }) => path)).toContain(`/v1/notifications/${digest._id}`);
    isAsked('listEvents', { templates: /^[0-9a-f]{24}$/ });
    note('retrieveEvent', ['notificationId']);
  });

  test.each<[string, Query]>([
    ['channel:sms', { channel: /^sms$/, page: /^0$/, limit: /^10$/ }],
    ['subscriber:driven-1', { subscriberId: /^driven-1$/ }],
    ['tx:txn_driven,txn_other', { transactionId: /^txn_other$/ }],
    ['context:tenant:driven', { contextKeys: /^tenant:driven$/ }],
  ])('/notif messages %s', async (line, query) => {
    await world.ann.asks(`/notif messages ${line}`);
    isAsked('listMessages', query);
  });

  test('/notif topic, its order, its pages and what is around a subscription', async () => {
    const { ann } = world;
    const first = await ann.asks('/notif topic news-readers');
    isAsked('listTopicSubscriptions', { limit: /^10$/, orderBy: /^createdAt$/, orderDirection: /^DESC$/ });
    await ann.clicks('Next subscribers', first);
    await ann.clicks('Previous subscribers', await ann.gets('user-30 ·'));
    const back = await ann.gets('this is the first page');
    isAsked('listTopicSubscriptions', { after: /./ });
    isAsked('listTopicSubscriptions', { before: /./ });
    await ann.clicks('Oldest first', back);
    await ann.gets('the oldest first');
    isAsked('listTopicSubscriptions', { orderDirection: /^ASC$/ });
    await ann.clicks('Around it', await ann.asks('/notif topic news-readers subscriber:user-20'));
    await ann.gets('this one was asked for');
    isAsked('listTopicSubscriptions', { subscriberId: /^user-20$/ });
    isAsked('listTopicSubscriptions', { includeCursor: /^true$/ });
    expect(requests('listTopicSubscriptions')[0]?.path).toBe('/v2/topics/news-readers/subscriptions');
    note('listTopicSubscriptions', ['topicKey']);
  });

  test('/notif integrations', async () => {
    await world.ann.asks('/notif integrations');
    expect(requests('listIntegrations').map(({ query }) => query)).toContainEqual({});
    note('listIntegrations', []);
  });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]>([
    ['fcm', { 'Device tokens': 'driven-token-9f3c' }, { deviceTokens: ['driven-token-9f3c'] }],
    [
      'mattermost',
      { 'Webhook URL': 'https://chat.example/hook', Channel: 'driven-channel' },
      { webhookUrl: 'https://chat.example/hook', channel: 'driven-channel' },
    ],
    [
      'grafana-on-call',
      {
        'Webhook URL': 'https://grafana.example/hook',
        ...{ 'Alert UID': 'driven-uid', Title: 'Driven', 'Image URL': 'https://grafana.example/i.png' },
        ...{ State: 'alerting', 'External URL': 'https://grafana.example/more' },
      },
      {
        ...{ webhookUrl: 'https://grafana.example/hook', alertUid: 'driven-uid', title: 'Driven', state: 'alerting' },
        ...{ imageUrl: 'https://grafana.example/i.png', externalUrl: 'https://grafana.example/more' },
      },
    ],
  ])('the form of /notif credentials: %s', async (providerId, fields, credentials) => {
    const { ann } = world;
    await ann.types('/notif credentials user-1');
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: providerId });
    await ann.seesModal('stored nowhere else');
    await ann.fillsIn(fields);
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('is shown again before it is sent');
    await ann.submits();
    // Whether the service takes it is another matter: it has no integration of some of these providers.
    const sent = { path: '/v1/subscribers/user-1/credentials', body: { providerId, credentials } };
    await expect.poll(() => requests('updateCredentials').at(-1), { timeout: A_WHILE_MS }).toMatchObject(sent);
    await ann.closesAll();
    note('updateCredentials', ['subscriberId', 'providerId', 'credentials']);
    note('ChannelCredentials (sent)', Object.keys(credentials));
  });

  test('the form of /notif credentials: an integration', async () => {
    const { ann, service } = world;
    const { _environmentId: own } = service.world.plantEvent(failed());
    const known = service.world.integrations.find((one) => one.providerId === 'slack' && one._environmentId === own);
    const integrationIdentifier = known?.identifier ?? '';
    await ann.types('/notif credentials user-2');
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: 'slack' });
    await ann.seesModal('As you got it from the chat provider.');
    await ann.isOffered('credentials.integration', integrationIdentifier.slice(0, 8));
    await ann.fillsIn({ 'Webhook URL': 'https://chat.example/hook', Integration: integrationIdentifier });
    await ann.submits();
    await ann.seesModal('of user-2 in production?');
    await ann.submits();
    await ann.seesModal('updated in production');
    await ann.closesAll();
    expect(requests('updateCredentials').at(-1)?.body).toMatchObject({ integrationIdentifier });
    note('updateCredentials', ['integrationIdentifier']);
  });

  test('the form of /notif trigger, with all that is below More', async () => {
    const { ann } = world;
    const profile = {
      ...{ firstName: 'Ann', lastName: 'Lee', email: 'driven@example.com', phone: '+491701234567' },
      ...{ avatar: 'https://a.example/a.png', locale: 'de-DE', timezone: 'Europe/Berlin', data: { plan: 'gold' } },
    };
    await ann.types('/notif trigger order-shipped');
    await ann.seesModal('Send a test');
    await ann.fillsIn({
      Subscribers: 'user-1',
      Payload: '{"orderNumber": "A-17"}',
      More: ['Transaction ID', 'Profiles'],
    });
    await ann.seesModal('for everything that is sent');
    await ann.fillsIn({ 'Transaction ID': 'txn_typed', Overrides: '{"sendgrid": {"from": "a"}}', Actor: 'user-2' });
    await ann.fillsIn({ Tenant: 'acme', Context: 'region:eu', Profiles: `user-1 ${JSON.stringify(profile)}` });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Preview');
    await ann.fillsIn({ Preview: 'Yes, send' });
    expect(await ann.submits()).toEqual([]);
    await expect.poll(() => requests('triggerEvents').length, { timeout: A_WHILE_MS }).toBe(1);
    const item = {
      ...{ name: 'order-shipped', payload: { orderNumber: 'A-17' }, overrides: { sendgrid: { from: 'a' } } },
      ...{ transactionId: 'txn_typed', actor: 'user-2', tenant: 'acme', context: { region: 'eu' } },
    };
    expect(requests('triggerEvents')[0]?.body).toMatchObject({
      events: [{ ...item, to: [{ subscriberId: 'user-1', ...profile }] }],
    });
    note('triggerEvents', ['events']);
    note('Trigger event item (sent)', [...Object.keys(item), 'to']);
    note('Subscriber definition (sent)', ['subscriberId', ...Object.keys(profile)]);
    await ann.closesAll();
  });

  test('in every parameter that docs/operations.md says is sent, and in no other', () => {
    const headings = (Object.keys(OPERATIONS) as Operation[]).map((operation) => {
      const { method, path } = OPERATIONS[operation];
      return [operation, `\`${method} ${path}\``] as const;
    });
    const sentTypes = Object.keys(SENT_TYPES).map((type) => [`${type} (sent)`, `${type} (sent)`] as const);
    for (const [what, heading] of [...headings, ...sentTypes]) {
      expect([...(driven.get(what) ?? [])].sort(), heading).toEqual(documented(heading));
    }
  });
});
