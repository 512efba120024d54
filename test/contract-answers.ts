/** A field of the contract: its usual value in responses, and another value that is planted to find out where it's shown. */
export interface Field {
  readonly usual: unknown;
  readonly planted: unknown;
  /** What people see of the planted value and never of the usual one. */
  readonly seen: string;
  /** The same under [View raw]. By default the name and the value as JSON; for an object, what is seen elsewhere. */
  readonly raw?: string;
}

export interface Planted {
  readonly type: string;
  readonly field: string;
}

type Fields = Readonly<Record<string, Field>>;

export const LATER = '2031-05-06T07:08:09.000Z';
const TIME = '2026-03-04T12:00:00.000Z';
const SOON = '2026-03-04T12:00:30.000Z';
const id = (n: number) => n.toString(16).padStart(24, '0');
export const EVENT_ID = id(15);
/** The ID of the event whose subscriber was deleted. */
export const BARE_EVENT_ID = id(16);
export const OWN_ENVIRONMENT = id(5);

/** `seen` defaults to the planted value itself. */
function field(usual: unknown, planted: unknown, seen?: string, raw?: string): Field {
  return { usual, planted, seen: seen ?? `${planted}`, ...(raw !== undefined && { raw }) };
}

/** Returns the text to look for on a surface. */
export function lookedFor(surface: string, name: string, { planted, seen, raw }: Field): string {
  if (surface !== 'raw') return seen;
  return raw ?? (typeof planted === 'object' ? seen : `"${name}": ${JSON.stringify(planted)}`);
}

const text = (name: string) => field(`usual ${name}`, `planted ${name}`);
const key = (name: string) => field(`usual-${name}`, `planted-${name}`);
/** An ID that the service assigned. */
const serviceId = (n: number) => field(id(n), id(n + 0xabc000));
const moment = (usual: string | null = TIME) => field(usual, LATER, `<!date^${Date.parse(LATER) / 1000}^`);
/** A time in the range that failures are asked for: what the service lists from outside of it isn't taken. */
const soon = field(TIME, SOON, `<!date^${Date.parse(SOON) / 1000}^`);
/** An object of which only a part with a recognizable name is looked for. */
const inside = (usual: unknown, planted: object, seen: string, raw?: string) => field(usual, planted, seen, raw);
/** A value that nobody sees whole. */
const masked = (usual: string, planted: string, seen: string) => field(usual, planted, seen, seen);
const object = (name: string) => inside({}, { note: `planted ${name}` }, `planted ${name}`);
const is = (planted: boolean, seen: string) => field(!planted, planted, seen);

const fieldsOf = (make: (name: string) => Field, names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, make(name)]));

const tenancy: Fields = { _organizationId: serviceId(4), _environmentId: serviceId(5) };
const person: Fields = {
  firstName: masked('Anna', 'Zoe', 'Z.'),
  lastName: masked('Lind', 'Quist', 'Q.'),
  email: masked('anna@example.com', 'zoe@planted.example', 'z•••@planted.example'),
  phone: masked('+4915112345678', '+4915112349943', '•••43'),
};
const stepFilter: Fields = {
  isNegated: is(true, 'unless'),
  type: key('filter-type'),
  value: field('AND', 'OR', ' or '),
  children: inside([], [{ field: 'planted-child', value: 'x', operator: 'EQUAL', on: 'payload' }], 'planted-child'),
};
const filterPart: Fields = {
  ...fieldsOf(key, 'field value operator'),
  on: field('payload', 'subscriber', 'subscriber.'),
};
const timed: Fields = {
  atTime: field('09:00', '23:45'),
  weekDays: inside(['monday'], ['sunday'], 'sunday'),
  monthDays: inside([3], [27], '27 of the month', '27'),
  ordinal: field('1', 'last', 'the last'),
  ordinalValue: field('day', 'weekend'),
  monthlyType: field('on', 'each', 'each 3 of the month'),
};
const waiting: Fields = {
  digestKey: key('digest-key'),
  amount: field(2, 7, 'waits 7 h', '"amount": 7'),
  unit: field('hours', 'weeks', 'waits 14 d', '"weeks"'),
  backoff: is(false, 'backoff: false'),
  backoffAmount: field(2, 7, 'came within 7 min', '"backoffAmount": 7'),
  backoffUnit: field('minutes', 'days', 'came within 2 d', '"days"'),
  updateMode: is(true, 'takes the place'),
  timed: inside(null, { atTime: 'at a planted time' }, 'at a planted time'),
};
const messageChannels = 'email sms in_app chat push';
const credentials = 'webhookUrl channel alertUid title imageUrl state externalUrl';
const step: Fields = {
  ...{ _id: serviceId(22), _templateId: serviceId(14), _parentId: serviceId(23), name: text('step name') },
  active: is(false, '"active": false'),
  filters: inside(
    [],
    [
      {
        isNegated: false,
        type: 'GROUP',
        value: 'AND',
        children: [{ field: 'planted-filter', value: 'x', operator: 'EQUAL', on: 'payload' }],
      },
    ],
    'planted-filter',
  ),
  metadata: inside({}, { delayPath: 'planted-metadata' }, 'planted-metadata'),
  issues: inside({}, { 'planted-issue': 'x' }, 'planted-issue'),
  ...fieldsOf(object, 'template controlVariables replyCallback'),
  variants: inside([], [{ name: 'planted variant' }], 'planted variant'),
};

/** The types of the contract with all their fields. A type that the contract uses in several places has a name for each. */
export const TYPES: Readonly<Record<string, Fields>> = {
  Subscriber: {
    ...{ _id: serviceId(3), ...person, ...tenancy, subscriberId: key('subscriber') },
    ...fieldsOf(text, 'avatar locale timezone'),
    channels: inside([], [{ providerId: 'planted-chat', credentials: {} }], 'planted-chat'),
    topics: inside(['launch'], ['planted-topic'], 'planted-topic'),
    ...{ isOnline: is(true, 'online'), lastOnlineAt: moment(), __v: field(1, 4711), data: object('data') },
    ...{ deleted: is(true, 'deleted'), createdAt: moment(), updatedAt: moment() },
  },
  ChannelSettings: {
    providerId: field('slack', 'discord'),
    integrationIdentifier: key('integration'),
    credentials: inside({}, { state: 'planted-state-Zz77' }, 'Zz77'),
    _integrationId: serviceId(6),
  },
  ChannelCredentials: {
    ...fieldsOf((name) => field(`usual-${name}-Aa11`, `planted-${name}-Zz77`, 'Zz77'), credentials),
    deviceTokens: inside(['usual-token-Aa11'], ['planted-token-Zz77'], 'Zz77'),
  },
  'Topic subscription list': {
    data: inside(
      [],
      [{ _id: 's', topic: { key: 'launch' }, subscriber: { subscriberId: 'planted-item' } }],
      'planted-item',
    ),
    ...{ next: key('next'), previous: key('previous') },
    totalCount: field(2, 4711, '4,711 subscriptions'),
    totalCountCapped: is(true, 'more than 2 subscriptions'),
  },
  TopicSubscription: {
    ...{ _id: serviceId(7), createdAt: moment() },
    topic: inside(null, { key: 'launch', name: 'Planted topic' }, 'Planted topic'),
    subscriber: inside(null, { subscriberId: 'planted-subscriber' }, 'planted-subscriber'),
  },
  Topic: { ...{ _id: serviceId(8), key: key('topic'), name: text('topic') }, createdAt: moment(), updatedAt: moment() },
  SubscriberSummary: {
    ...{ _id: serviceId(9), subscriberId: key('subscriber'), avatar: text('avatar') },
    ...{ firstName: person.firstName, lastName: person.lastName, email: person.email },
  } as Fields,
  Integration: {
    ...{ _id: serviceId(10), ...tenancy, name: text('integration'), identifier: key('identifier') },
    ...{ providerId: field('sendgrid', 'mailgun', 'Mailgun'), channel: field('email', 'sms', 'SMS') },
    ...{
      credentials: object('credentials'),
      conditions: inside([], [{ children: [{ on: 'payload', field: 'planted-condition' }] }], 'planted-condition'),
    },
    configurations: inside({}, { inboundWebhookEnabled: true }, 'inbound webhook on'),
    ...{
      active: is(false, 'inactive'),
      deleted: is(true, 'No active email integration'),
      primary: is(true, 'primary'),
    },
    ...{ deletedAt: moment(), deletedBy: serviceId(11) },
  },
  IntegrationCredentials: {
    ...fieldsOf(
      key,
      'apiKey user secretKey domain password host port region accountSid messageProfileId token from senderName projectName applicationId ' +
        'clientId baseUrl webhookUrl redirectUrl serviceAccount ipPoolName apiKeyRequestHeader secretKeyRequestHeader idPath datePath apiToken ' +
        'authenticationTokenKey instanceId alertUid title imageUrl state externalLink channelId phoneNumberIdentification accessKey appSid ' +
        'senderId AppIOBaseUrl',
    ),
    ...fieldsOf((name) => is(true, `${name}: true`), 'secure requireTls ignoreTls hmac authenticateByToken'),
    tlsOptions: object('tlsOptions'),
  },
  IntegrationConfigurations: {
    inboundWebhookEnabled: is(true, 'inbound webhook on'),
    inboundWebhookSigningKey: key('signing'),
  },
  'StepFilter of an integration': {
    ...stepFilter,
    children: inside([], [{ on: 'payload', field: 'planted-child' }], 'planted-child'),
  },
  'StepFilter of an integration: part': filterPart,
  'Message list': {
    totalCount: field(null, 4711, '4,711 messages'),
    hasMore: is(true, 'Next messages'),
    data: inside(
      [],
      [
        {
          _notificationId: EVENT_ID,
          transactionId: 't',
          channel: 'email',
          status: 'sent',
          templateIdentifier: 'planted-item',
        },
      ],
      'planted-item',
    ),
    ...{ pageSize: field(10, 4711), page: field(0, 4712) },
  },
  Message: {
    ...{ _id: serviceId(12), _templateId: serviceId(13), _messageTemplateId: serviceId(14), ...tenancy },
    ...{ _notificationId: field(EVENT_ID, id(0xabc)), _subscriberId: serviceId(3), _feedId: serviceId(24) },
    subscriber: inside(null, { subscriberId: 'planted-subscriber', deleted: false }, 'planted-subscriber'),
    template: inside(null, { name: 'x', triggers: [{ identifier: 'planted-template' }] }, 'planted-template'),
    // Without it, Notif shows the template's own name for the workflow.
    templateIdentifier: field(null, 'planted-workflow'),
    ...{ createdAt: moment(), lastSeenDate: moment(), lastReadDate: moment(), snoozedUntil: moment() },
    deliveredAt: inside([TIME], [LATER], `<!date^${Date.parse(LATER) / 1000}^`),
    content: inside([], [{ type: 'text', content: 'planted content' }], 'planted content'),
    ...{ transactionId: key('transaction'), subject: field('', 'Planted subject'), title: text('title') },
    ...{ channel: field('email', 'sms', 'SMS'), providerId: field('sendgrid', 'mailgun', 'Mailgun') },
    ...{ read: is(true, 'read · snoozed'), seen: is(true, 'seen · snoozed') },
    ...{ email: person.email, phone: person.phone },
    directWebhookUrl: field(null, 'https://planted.example/hook', 'to a webhook of their own'),
    deviceTokens: inside(['a'], ['a', 'b', 'c'], 'to 3 devices'),
    cta: inside(null, { data: { url: 'https://planted.example/x' } }, 'https://planted.example/…'),
    ...{ status: field('error', 'warning'), errorId: text('error id'), errorText: text('error text') },
    ...{ payload: object('payload'), overrides: object('overrides') },
    contextKeys: inside(['tenant:usual'], ['tenant:planted'], 'tenant:planted'),
  } as Fields,
  EmailBlock: {
    ...{ type: field('text', 'button'), content: text('content'), url: text('url') },
    styles: inside({}, { textAlign: 'planted align' }, 'planted align'),
  },
  'EmailBlock.styles': { textAlign: field('left', 'center') },
  MessageCTA: {
    type: field('redirect', 'planted-type'),
    data: inside(null, { url: 'https://planted.example/x' }, 'https://planted.example/…'),
    action: inside(null, { status: 'planted-action' }, 'planted-action'),
  },
  'MessageCTA.data': { url: field('https://usual.example', 'https://planted.example/x', 'https://planted.example/…') },
  MessageAction: {
    status: field('done', 'pending'),
    buttons: inside([], [{ type: 'primary', content: 'Planted label' }], 'Planted label'),
    result: inside(null, { type: 'secondary' }, 'by the secondary button'),
  },
  'MessageAction.result': { type: field('primary', 'secondary', 'by the secondary button'), payload: object('result') },
  MessageButton: { type: field('primary', 'secondary'), content: text('label'), resultContent: text('result') },
  Workflow: {
    ...{
      _id: serviceId(13),
      ...tenancy,
      _parentId: serviceId(18),
      _creatorId: serviceId(16),
      _notificationGroupId: serviceId(17),
    },
    ...fieldsOf(text, 'name description'),
    ...{
      active: is(false, 'not active'),
      draft: is(true, 'draft'),
      critical: is(true, 'ritical'),
      deleted: is(true, 'deleted workflow'),
    },
    ...{ deletedAt: moment(), deletedBy: serviceId(11) },
    tags: inside([], ['planted-tag'], 'planted-tag'),
    ...fieldsOf(object, 'preferenceSettings notificationGroup data workflowIntegrationStatus'),
    steps: inside([], [{ name: 'planted step' }], 'planted step'),
    triggers: inside([], [{ identifier: 'planted-trigger' }], 'planted-trigger'),
  },
  ChannelPreferences: fieldsOf((name) => is(false, `${name}: false`), messageChannels),
  'Workflow.notificationGroup': {
    ...{ _id: serviceId(17), name: text('group'), ...tenancy },
    _parentId: serviceId(18),
  },
  WorkflowTrigger: {
    ...{ type: field('event', 'planted-type'), identifier: key('workflow') },
    ...fieldsOf(
      (name) => inside([], [{ name: `planted-${name}` }], `planted-${name}`),
      'variables subscriberVariables',
    ),
  },
  'WorkflowTrigger.variables': { name: key('variable') },
  'WorkflowTrigger.subscriberVariables': { name: key('variable') },
  WorkflowStep: {
    ...{
      _id: serviceId(25),
      uuid: key('uuid'),
      name: text('step'),
      _templateId: serviceId(14),
      _parentId: serviceId(23),
    },
    ...{ active: is(false, 'inactive'), shouldStopOnFail: is(true, 'stops'), template: object('template') },
    ...{ filters: step.filters, metadata: step.metadata, replyCallback: step.replyCallback, variants: step.variants },
  } as Fields,
  'WorkflowStep.replyCallback': { active: is(true, 'callback'), url: text('url') },
  'WorkflowStep.metadata': { type: field('regular', 'timed'), ...waiting, delayPath: key('path') },
  'WorkflowStep.metadata.timed': timed,
  'StepFilter of a WorkflowStep': stepFilter,
  'StepFilter of a WorkflowStep: part': filterPart,
  'Event list': {
    hasMore: is(true, 'Older'),
    data: inside(
      [],
      [
        {
          ...{ transactionId: 't', createdAt: TIME, template: { name: 'planted-item', triggers: [] } },
          jobs: [
            {
              _id: 'j',
              type: 'email',
              status: 'failed',
              executionDetails: [{ _id: 'd', status: 'Failed', detail: 'x' }],
            },
          ],
        },
        { transactionId: 't', subscriber: { subscriberId: 'u' }, template: { name: 'planted-item', triggers: [] } },
      ],
      'planted-item',
    ),
    ...{ pageSize: field(10, 4711), page: field(0, 4712) },
  },
  'Activity notification': {
    ...{
      _id: serviceId(15),
      ...tenancy,
      _subscriberId: serviceId(3),
      transactionId: key('transaction'),
      _templateId: serviceId(13),
    },
    ...{ _digestedNotificationId: field(null, id(0xabc)), createdAt: soon, updatedAt: moment() },
    channels: inside(['email'], ['chat'], 'chat'),
    subscriber: inside(null, { _id: id(3), subscriberId: 'planted-subscriber' }, 'planted-subscriber'),
    to: inside(null, { subscriberId: 'planted-to' }, 'planted-to'),
    template: inside(
      null,
      { name: 'x', triggers: [{ type: 'event', identifier: 'planted-template', variables: [] }] },
      'planted-template',
    ),
    jobs: inside(
      [],
      [{ _id: id(99), type: 'planted-step', status: 'completed', executionDetails: [] }],
      'planted-step',
    ),
    ...{ payload: object('payload'), controls: object('controls') },
    tags: inside(['usual-tag'], ['planted-tag'], 'planted-tag'),
    topics: inside([], [{ _topicId: id(8), topicKey: 'planted-topic' }], 'planted-topic'),
    ...{ severity: field('low', 'high'), critical: is(true, 'Critical') },
    contextKeys: inside(['tenant:usual'], ['tenant:planted'], 'tenant:planted'),
  },
  'Activity notification.topics': { _topicId: serviceId(8), topicKey: key('topic') },
  ActivitySubscriber: { _id: serviceId(3), subscriberId: key('subscriber'), ...person },
  'Subscriber definition of an event': {
    ...{ subscriberId: key('subscriber'), ...person },
    avatar: text('avatar'),
    ...fieldsOf(text, 'locale timezone'),
    data: object('data'),
    channels: inside([], [{ providerId: 'planted-chat', credentials: {} }], 'planted-chat'),
  },
  'Subscriber definition of an event: channel': {
    ...{ providerId: field('slack', 'discord'), integrationIdentifier: key('integration') },
    credentials: inside({}, { webhookUrl: 'https://planted.example/hook' }, 'planted.example'),
  },
  ActivityTemplate: {
    ...{ _id: serviceId(13), name: text('workflow'), origin: field('svc-cloud', 'external') },
    triggers: inside([], [{ type: 'event', identifier: 'planted-trigger', variables: [] }], 'planted-trigger'),
  },
  'ActivityTemplate.triggers': {
    ...{ type: field('event', 'planted-type'), identifier: key('workflow') },
    ...fieldsOf(
      (name) => inside([], [{ name: `planted-${name}` }], `planted-${name}`),
      'variables subscriberVariables',
    ),
  },
  'ActivityTemplate.triggers.variables': { name: key('variable') },
  'ActivityTemplate.triggers.subscriberVariables': { name: key('variable') },
  ActivityJob: {
    ...{ _id: serviceId(20), type: field('email', 'sms', 'SMS'), status: field('failed', 'planted-status') },
    ...{ providerId: field('sendgrid', 'mailgun', 'Mailgun'), updatedAt: moment() },
    executionDetails: inside(
      [],
      [
        {
          _id: id(98),
          status: 'Failed',
          detail: 'Planted detail',
          isRetry: false,
          isTest: false,
          source: 'Internal',
          raw: null,
        },
      ],
      'Planted detail',
    ),
    step: inside(
      null,
      { _id: id(97), active: true, filters: [], _templateId: id(14), name: 'Planted step' },
      'Planted step',
    ),
    digest: inside(null, { type: 'regular', digestKey: 'planted-digest' }, 'planted-digest'),
    overrides: inside({}, { 'planted-override': {} }, 'planted-override'),
    payload: inside({ sendAt: TIME }, { sendAt: LATER }, `<!date^${Date.parse(LATER) / 1000}^`, JSON.stringify(LATER)),
    scheduleExtensionsCount: field(0, 47, 'extended 47×', '"scheduleExtensionsCount": 47'),
  },
  ExecutionDetail: {
    ...{ _id: serviceId(21), createdAt: moment(), status: field('Failed', 'Warning', 'Warning:') },
    ...{ detail: field('Unexpected provider error', 'planted detail') },
    raw: field('{"message":"usual cause"}', '{"message":"planted cause"}', 'planted cause', 'planted cause'),
    ...{ isRetry: is(true, '2 attempts'), isTest: is(true, 'test') },
    ...{ source: field('Internal', 'Webhook', 'webhook'), providerId: field('sendgrid', 'mailgun', 'Mailgun') },
  },
  ActivityStep: step,
  'ActivityStep.variants': step,
  'StepFilter of a step': stepFilter,
  'StepFilter of a step: part': filterPart,
  DigestMetadata: {
    ...{ type: field('timed', 'backoff', ' backoff '), ...waiting },
    events: inside([{}], [{}, {}, { note: 'planted event' }], 'collected 3 events', 'planted event'),
  },
  TimedConfig: {
    ...{ ...timed, cronExpression: field('0 9 1 1 1', '7 7 7 7 7') },
    untilDate: moment(null),
  },
  'Step metadata': { type: field('regular', 'scheduled'), ...waiting, delayPath: field('sendAt', 'planted-path') },
  'Trigger result': {
    acknowledged: is(false, 'not acknowledged'),
    status: field('error', 'trigger_not_active', "the workflow isn't active"),
    error: inside(['usual error'], ['planted error'], 'planted error'),
    transactionId: key('transaction'),
  },
};

/** The response to each operation. */
export interface Answers {
  readonly event: object;
  /** The event whose subscriber was deleted. */
  readonly bareEvent: object;
  readonly events: object;
  readonly messages: object;
  readonly integrations: readonly object[];
  readonly subscriptions: object;
  readonly subscriber: object;
  readonly results: readonly object[];
}

/** Returns a response to each operation in which every field of every type is present. One field is planted wherever it occurs, or none. */
export function answersWith(planted: Planted | null): Answers {
  const a = (type: string, own: object = {}): object => {
    const fields = TYPES[type];
    if (fields === undefined) throw new Error(`The contract has no type ${type}.`);
    const usual = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.usual]));
    const put = planted?.type === type ? { [planted.field]: fields[planted.field]?.planted } : {};
    return { ...usual, ...own, ...put };
  };
  const filterOf = (type: string) => a(type, { children: [a(`${type}: part`), a(`${type}: part`)] });

  const subscriber = a('Subscriber', { channels: [a('ChannelSettings', { credentials: a('ChannelCredentials') })] });
  const stepOf = (own: object = {}) =>
    a('ActivityStep', { variants: [a('ActivityStep.variants')], metadata: null, ...own });
  const jobOf = (n: number, own: object) =>
    a('ActivityJob', { _id: id(200 + n), executionDetails: [], step: stepOf(), ...own });
  const jobs = (n: number) => [
    jobOf(n, { executionDetails: [a('ExecutionDetail', { _id: id(300 + n) })] }),
    jobOf(n + 1, { type: 'digest', status: 'delayed', digest: a('DigestMetadata', { timed: a('TimedConfig') }) }),
    jobOf(n + 2, { type: 'delay', status: 'delayed', step: stepOf({ metadata: a('Step metadata') }) }),
    jobOf(n + 3, { type: 'push', status: 'skipped', step: stepOf({ filters: [filterOf('StepFilter of a step')] }) }),
  ];
  const variables = (type: string) => ({
    variables: [a(`${type}.variables`)],
    subscriberVariables: [a(`${type}.subscriberVariables`)],
  });
  const template = a('ActivityTemplate', {
    triggers: [a('ActivityTemplate.triggers', variables('ActivityTemplate.triggers'))],
  });
  const eventOf = (own: object = {}, n = 0) =>
    a('Activity notification', {
      ...{ subscriber: a('ActivitySubscriber'), template, jobs: jobs(n), topics: [a('Activity notification.topics')] },
      to: a('Subscriber definition of an event', { channels: [a('Subscriber definition of an event: channel')] }),
      ...own,
    });

  const workflowStep = a('WorkflowStep', {
    filters: [filterOf('StepFilter of a WorkflowStep')],
    metadata: a('WorkflowStep.metadata', { timed: a('WorkflowStep.metadata.timed') }),
    replyCallback: a('WorkflowStep.replyCallback'),
  });
  const workflow = (own: object = {}) =>
    a('Workflow', {
      ...{ preferenceSettings: a('ChannelPreferences'), notificationGroup: a('Workflow.notificationGroup') },
      ...{ steps: [workflowStep], triggers: [a('WorkflowTrigger', variables('WorkflowTrigger'))] },
      ...own,
    });
  const messageOf = (own: object = {}) =>
    a('Message', {
      ...{ subscriber, template: workflow() },
      content: [a('EmailBlock', { styles: a('EmailBlock.styles') })],
      cta: a('MessageCTA', {
        data: a('MessageCTA.data'),
        action: a('MessageAction', { buttons: [a('MessageButton')], result: a('MessageAction.result') }),
      }),
      ...own,
    });

  const other = {
    ...{ template: workflow({ triggers: [] }), seen: false, read: false, lastSeenDate: null, lastReadDate: null },
  };

  const integrationOf = (own: object = {}) =>
    a('Integration', {
      ...{ credentials: a('IntegrationCredentials'), configurations: a('IntegrationConfigurations') },
      ...{ conditions: [filterOf('StepFilter of an integration')], ...own },
    });

  return {
    event: eventOf(),
    bareEvent: eventOf({ _id: BARE_EVENT_ID, subscriber: null }),
    events: a('Event list', { data: [eventOf(), eventOf({ _id: id(151) }, 10)] }),
    messages: a('Message list', { data: [messageOf({ seen: true, read: true }), messageOf(other)] }),
    integrations: [
      ...[integrationOf(), integrationOf({ identifier: 'usual-2', deleted: true })],
      // From another environment, so that more than one is listed.
      { ...integrationOf({ identifier: 'usual-3' }), _environmentId: id(0xeee) },
    ],
    subscriptions: a('Topic subscription list', {
      data: [a('TopicSubscription', { topic: a('Topic'), subscriber: a('SubscriberSummary') })],
    }),
    subscriber,
    results: [a('Trigger result')],
  };
}
