import fc from 'fast-check';

/** A type of the contract, as in its tables. A name that ends in `?` is an optional field. */
export type ContractType =
  | { readonly is: 'text' | 'number' | 'boolean' | 'time' | 'anything' | 'null' }
  | { readonly is: 'one of'; readonly words: readonly string[] }
  | { readonly is: 'either'; readonly types: readonly ContractType[] }
  | { readonly is: 'list'; readonly of: ContractType }
  | { readonly is: 'object'; readonly fields: Readonly<Record<string, ContractType>> };

const text = { is: 'text' } as const;
const number = { is: 'number' } as const;
const boolean = { is: 'boolean' } as const;
const time = { is: 'time' } as const;
const anything = { is: 'anything' } as const;
const oneOf = (words: string): ContractType => ({ is: 'one of', words: words.split(' ') });
const listOf = (of: ContractType): ContractType => ({ is: 'list', of });
const either = (...types: readonly ContractType[]): ContractType => ({ is: 'either', types });
const textOrNull = either(text, { is: 'null' });
const object = (fields: Readonly<Record<string, ContractType>>): ContractType => ({ is: 'object', fields });

const CHANNELS = 'in_app email sms chat push';
const STEPS = oneOf(`${CHANNELS} digest trigger delay throttle custom`);
const PROVIDERS = oneOf('sendgrid twilio fcm slack svc');
const UNITS = oneOf('seconds minutes hours days weeks months');

const STEP_FILTER = object({
  isNegated: boolean,
  type: oneOf('BOOLEAN TEXT DATE NUMBER STATEMENT LIST MULTI_LIST GROUP'),
  value: oneOf('AND OR'),
  children: listOf(
    object({ field: text, value: text, operator: oneOf('LARGER EQUAL IN'), on: oneOf('subscriber payload') }),
  ),
});
const TIMED = object({
  'atTime?': text,
  'weekDays?': listOf(oneOf('monday sunday')),
  'monthDays?': listOf(number),
  'ordinal?': oneOf('1 2 last'),
  'ordinalValue?': oneOf('day weekend'),
  'monthlyType?': oneOf('each on'),
  'cronExpression?': text,
  'untilDate?': text,
});
const DIGEST = object({
  type: oneOf('regular backoff timed'),
  'digestKey?': text,
  'amount?': number,
  'unit?': UNITS,
  'events?': listOf(anything),
  'backoff?': boolean,
  'backoffAmount?': number,
  'backoffUnit?': UNITS,
  'updateMode?': boolean,
  'timed?': TIMED,
});
const DETAIL = object({
  _id: text,
  'createdAt?': time,
  status: oneOf('Success Warning Failed Failed Failed Pending Queued ReadConfirmation'),
  detail: text,
  isRetry: boolean,
  isTest: boolean,
  'providerId?': PROVIDERS,
  'raw?': textOrNull,
  source: oneOf('Credentials Internal Payload Webhook'),
});
const STEP = object({
  _id: text,
  active: boolean,
  filters: listOf(STEP_FILTER),
  _templateId: text,
  'replyCallback?': anything,
  'controlVariables?': anything,
  'metadata?': either(
    DIGEST,
    object({ type: oneOf('regular'), 'amount?': number, 'unit?': UNITS }),
    object({ type: oneOf('scheduled'), delayPath: text }),
  ),
  'issues?': anything,
  'template?': anything,
  'variants?': listOf(anything),
  'name?': text,
  '_parentId?': textOrNull,
});
const JOB = object({
  _id: text,
  type: STEPS,
  'digest?': DIGEST,
  executionDetails: listOf(DETAIL),
  step: STEP,
  'overrides?': anything,
  'payload?': anything,
  providerId: PROVIDERS,
  status: text,
  'updatedAt?': time,
  'scheduleExtensionsCount?': number,
});

const EMAIL_BLOCK = object({
  type: oneOf('button text'),
  content: text,
  'url?': text,
  'styles?': object({ 'textAlign?': oneOf('center left right') }),
});
const SUBSCRIBER = object({
  '_id?': text,
  'firstName?': textOrNull,
  'lastName?': textOrNull,
  'email?': textOrNull,
  'phone?': textOrNull,
  'avatar?': textOrNull,
  'locale?': textOrNull,
  'timezone?': textOrNull,
  'channels?': listOf(
    object({
      providerId: PROVIDERS,
      'integrationIdentifier?': text,
      credentials: object({
        'webhookUrl?': text,
        'channel?': text,
        'deviceTokens?': listOf(text),
        'alertUid?': text,
        'title?': text,
        'imageUrl?': text,
        'state?': text,
        'externalUrl?': text,
      }),
      _integrationId: text,
    }),
  ),
  'topics?': listOf(text),
  'isOnline?': either(boolean, { is: 'null' }),
  'lastOnlineAt?': either(time, { is: 'null' }),
  '__v?': number,
  'data?': either(anything, { is: 'null' }),
  subscriberId: text,
  _organizationId: text,
  _environmentId: text,
  deleted: boolean,
  createdAt: time,
  updatedAt: time,
});

/** The contract's types of the items in responses ("Resources and their fields"). */
export const ITEM_TYPES = {
  event: object({
    '_id?': text,
    _environmentId: text,
    _organizationId: text,
    _subscriberId: text,
    transactionId: text,
    '_templateId?': text,
    '_digestedNotificationId?': text,
    'createdAt?': time,
    'updatedAt?': time,
    'channels?': listOf(STEPS),
    'subscriber?': object({
      subscriberId: text,
      _id: text,
      'firstName?': text,
      'lastName?': text,
      'email?': text,
      'phone?': text,
    }),
    'template?': object({
      '_id?': text,
      name: text,
      'origin?': oneOf('svc-cloud external'),
      triggers: listOf(
        object({
          type: oneOf('event'),
          identifier: text,
          variables: listOf(object({ name: text })),
          'subscriberVariables?': listOf(object({ name: text })),
        }),
      ),
    }),
    'jobs?': listOf(JOB),
    'payload?': anything,
    'tags?': listOf(text),
    'controls?': anything,
    'to?': object({ subscriberId: text, 'firstName?': text, 'email?': text, 'channels?': listOf(anything) }),
    'topics?': listOf(object({ _topicId: text, topicKey: text })),
    'severity?': oneOf('high medium low none'),
    'critical?': boolean,
    'contextKeys?': listOf(text),
  }),
  message: object({
    '_id?': text,
    '_templateId?': textOrNull,
    _environmentId: text,
    '_messageTemplateId?': textOrNull,
    _organizationId: text,
    _notificationId: text,
    _subscriberId: text,
    'subscriber?': SUBSCRIBER,
    'template?': object({ '_id?': text, name: text, triggers: listOf(object({ identifier: text })) }),
    'templateIdentifier?': text,
    createdAt: time,
    'deliveredAt?': listOf(time),
    'lastSeenDate?': time,
    'lastReadDate?': time,
    'content?': either(text, listOf(EMAIL_BLOCK)),
    transactionId: text,
    'subject?': text,
    channel: oneOf(CHANNELS),
    read: boolean,
    seen: boolean,
    'snoozedUntil?': time,
    'email?': text,
    'phone?': text,
    'directWebhookUrl?': text,
    'providerId?': text,
    'deviceTokens?': listOf(text),
    'title?': text,
    cta: object({
      'type?': oneOf('redirect'),
      'data?': object({ 'url?': text }),
      'action?': object({
        'status?': oneOf('pending done'),
        'buttons?': listOf(object({ type: oneOf('primary secondary'), content: text, 'resultContent?': text })),
        'result?': object({ 'payload?': anything, 'type?': oneOf('primary secondary') }),
      }),
    }),
    '_feedId?': textOrNull,
    status: oneOf('sent error warning'),
    'errorId?': text,
    'errorText?': text,
    'payload?': anything,
    'overrides?': anything,
    'contextKeys?': listOf(text),
  }),
  integration: object({
    '_id?': text,
    _environmentId: text,
    _organizationId: text,
    name: text,
    identifier: text,
    providerId: text,
    channel: oneOf(CHANNELS),
    credentials: anything,
    'configurations?': object({ 'inboundWebhookEnabled?': boolean, 'inboundWebhookSigningKey?': text }),
    active: boolean,
    deleted: boolean,
    'deletedAt?': time,
    'deletedBy?': text,
    primary: boolean,
    'conditions?': listOf(STEP_FILTER),
  }),
  subscription: object({
    _id: text,
    createdAt: time,
    topic: object({ _id: text, key: text, 'name?': text, 'createdAt?': time, 'updatedAt?': time }),
    subscriber: object({
      _id: text,
      subscriberId: text,
      'avatar?': textOrNull,
      'firstName?': textOrNull,
      'lastName?': textOrNull,
      'email?': textOrNull,
    }),
  }),
  subscriber: SUBSCRIBER,
  result: object({
    acknowledged: boolean,
    status: oneOf('error trigger_not_active processed no_tenant_found invalid_recipients'),
    'error?': listOf(text),
    'transactionId?': text,
  }),
} as const;

/** Generates any value that a type allows, with and without each optional field. */
export function valuesOf(type: ContractType): fc.Arbitrary<unknown> {
  switch (type.is) {
    case 'text':
      return fc.string({ maxLength: 12 });
    case 'number':
      return fc.nat();
    case 'boolean':
      return fc.boolean();
    case 'time':
      return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
    case 'anything':
      return fc.dictionary(fc.string({ maxLength: 5 }), fc.constantFrom(1, 'a', null, true), { maxKeys: 2 });
    case 'null':
      return fc.constant(null);
    case 'one of':
      return fc.constantFrom(...type.words);
    case 'either':
      return fc.oneof(...type.types.map(valuesOf));
    case 'list':
      return fc.array(valuesOf(type.of), { maxLength: 3 });
    case 'object': {
      const values = Object.entries(type.fields).map(([name, field]) => [nameOf(name), valuesOf(field)] as const);
      const requiredKeys = Object.keys(type.fields).filter((name) => !isOptional(name));
      return fc.record(Object.fromEntries(values), { requiredKeys, noNullPrototype: true });
    }
  }
}

/** Returns the optional fields that are present in a value and in its inner values, with each field's type. */
export function optionalPlaces(type: ContractType, value: unknown): (readonly [Place, ContractType])[] {
  if (type.is === 'list' && Array.isArray(value)) {
    return value.flatMap((item, index) => below(index, optionalPlaces(type.of, item)));
  }
  if (type.is === 'either') return type.types.flatMap((one) => optionalPlaces(one, value));
  if (type.is !== 'object' || typeof value !== 'object' || value === null) return [];
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const inner: unknown = Reflect.get(value, nameOf(name));
    if (inner === undefined) return [];
    const own = isOptional(name) ? [[[nameOf(name)], field] as const] : [];
    return [...own, ...below(nameOf(name), optionalPlaces(field, inner))];
  });
}

/** Returns the words in a value and in its inner values that the contract lists. */
export function wordPlaces(type: ContractType, value: unknown): (readonly [Place, ContractType])[] {
  if (type.is === 'one of' && typeof value === 'string') return [[[], type]];
  if (type.is === 'list' && Array.isArray(value)) {
    return value.flatMap((item, index) => below(index, wordPlaces(type.of, item)));
  }
  if (type.is !== 'object' || typeof value !== 'object' || value === null) return [];
  return Object.entries(type.fields).flatMap(([name, field]) =>
    below(nameOf(name), wordPlaces(field, Reflect.get(value, nameOf(name)))),
  );
}

type Place = readonly (string | number)[];

function below(key: string | number, places: readonly (readonly [Place, ContractType])[]) {
  return places.map(([place, type]) => [[key, ...place], type] as const);
}

/** Generates values of any type but the field's. */
export function wrongFor(type: ContractType): fc.Arbitrary<unknown> {
  const kinds = type.is === 'either' ? type.types.map(kindFor) : [kindFor(type)];
  const wrong = [7, -0.5, true, 'x', '', ['x', null], [{}], [], { a: 1 }, {}, { 0: 'x', length: 1 }].filter(
    (value) => !kinds.includes(kindOf(value)),
  );
  return fc.constantFrom(...wrong);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

function kindFor(type: ContractType): string {
  switch (type.is) {
    case 'text':
    case 'time':
    case 'one of':
      return 'string';
    case 'anything':
      return 'object';
    default:
      return type.is;
  }
}

/** Returns a copy of a value with something else at a path. */
export function putAt(value: unknown, [key, ...rest]: Place, put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? putAt(item, rest, put) : item));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [key]: putAt(Reflect.get(value, key), rest, put) };
}

function isOptional(name: string): boolean {
  return name.endsWith('?');
}

function nameOf(name: string): string {
  return name.replace(/\?$/, '');
}
