/** What a module can import from another module. */
export interface Allowed {
  /** Includes its submodules: `domain` covers `domain/text` too. */
  readonly module: string;
  /** Only types can be imported: nothing of the other module runs. */
  readonly typesOnly?: true;
  /** Only from the same folder: a flow can't import its neighbors. */
  readonly sameFolder?: true;
}

export interface Module {
  readonly name: string;
  /** Paths from the root of the repository. A file belongs to the first module that matches. */
  readonly files: RegExp;
  readonly modules: readonly Allowed[] | 'every module of src';
  /** Names of packages; a name allows its subpaths. */
  readonly packages: readonly string[];
  /** Modules of Node without their `node:`. */
  readonly builtins: readonly string[];
}

/** Modules inside a layer, from the bottom up: each with the modules of the same layer that it can import, besides itself. */
type Layer = Readonly<Record<string, readonly string[]>>;

const DOMAIN_MODULES: Layer = {
  text: [],
  time: [],
  input: [],
  access: [],
  credentials: ['text'],
  service: ['text'],
  failures: ['text', 'time', 'input', 'service'],
  changes: ['text', 'time', 'service'],
  causes: ['failures'],
  polling: ['time', 'service'],
  triggers: ['text', 'service', 'failures'],
  watches: ['text', 'time', 'input', 'failures'],
  incidents: ['text', 'time', 'failures', 'changes', 'watches'],
  charts: ['time'],
  lookups: ['text', 'time', 'input', 'service', 'failures', 'causes', 'polling', 'incidents'],
  health: ['time', 'access', 'service', 'changes', 'polling', 'watches', 'incidents', 'lookups'],
  alerting: ['time', 'access', 'failures', 'changes', 'polling', 'watches', 'incidents', 'health'],
};

const USE_CASE_MODULES: Layer = {
  ports: [],
  access: [],
  polling: [],
  lookups: [],
  changes: [],
  watches: ['ports'],
  incidents: ['ports', 'watches'],
  triggers: ['access', 'lookups'],
  alerting: ['ports'],
  health: ['ports', 'access', 'polling'],
};

const STORE_MODULES: Layer = {
  database: [],
  changes: ['database'],
  failures: ['database'],
  watches: ['database', 'changes'],
  incidents: ['database', 'changes', 'failures', 'watches'],
  polling: ['database', 'changes', 'failures', 'watches', 'incidents'],
  deliveries: ['database', 'changes', 'failures', 'watches', 'incidents', 'polling'],
  alerting: ['database', 'changes', 'failures', 'watches', 'incidents', 'polling', 'deliveries'],
};

const BLOCK_MODULES: Layer = {
  inputs: [],
  buttons: [],
  incident: ['buttons'],
  words: ['buttons', 'incident'],
};

/**
 * Returns the modules of a layer. Every module of the layer can import `root`, the files in the layer's own folder. The `root` parameter
 * lists the modules that these files can import.
 */
function layer(name: string, inside: Layer, rest: Omit<Module, 'name' | 'files'>, root: readonly string[]): Module[] {
  const { modules } = rest;
  if (modules === 'every module of src') throw new Error(`${name} says which modules it imports`);
  const own = (names: readonly string[]): Allowed[] => names.map((one) => ({ module: `${name}/${one}` }));
  const sub = Object.entries(inside).map(([module, imports]) => ({
    ...rest,
    name: `${name}/${module}`,
    files: new RegExp(`^src/${name}/${module}/`),
    modules: [...modules, ...own([module, 'root', ...imports])],
  }));
  const files = new RegExp(`^src/${name}/`);
  return [...sub, { ...rest, name: `${name}/root`, files, modules: [...modules, ...own(['root', ...root])] }];
}

/** What the modules inside each layer can import from the same layer, by the layer's folder. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'src/domain/': DOMAIN_MODULES,
  'src/use-cases/': USE_CASE_MODULES,
  'src/store/': STORE_MODULES,
  'src/slack/blocks/': BLOCK_MODULES,
};

const DOMAIN: Allowed = { module: 'domain' };
const USE_CASES: Allowed = { module: 'use-cases' };
const BLOCKS: Allowed = { module: 'slack/blocks' };
const PASSING_ERRORS: Allowed = { module: 'slack/passing-errors' };
const own = (module: string): Allowed => ({ module });
const ownFlow = (module: string): Allowed => ({ module, sameFolder: true });

/**
 * Files of flows that call use cases or Slack, besides listeners and publishers. All others are pure: messages, modals, and button values.
 */
const WITH_EFFECTS: readonly string[] = [
  'commands',
  'lookup',
  'message-search',
  'names',
  'post-notice',
  'send',
  'send-chart',
  'send-file',
  'slack-outcome',
  'submission',
  'unknown-id',
  'update',
  'written',
];

/** The modules of `src/` and what each can import, as docs/architecture.md says. To change it, change it in both places. */
export const MODULES: readonly Module[] = [
  ...layer(
    'domain',
    DOMAIN_MODULES,
    {
      modules: [],
      packages: ['date-fns', '@date-fns/tz'],
      builtins: ['crypto'],
    },
    [],
  ),
  ...layer(
    'use-cases',
    USE_CASE_MODULES,
    {
      modules: [DOMAIN],
      packages: ['date-fns'],
      builtins: [],
    },
    [],
  ),
  {
    name: 'notification-service',
    files: /^src\/notification-service\//,
    modules: [DOMAIN, own('notification-service')],
    packages: ['undici', 'zod'],
    builtins: ['crypto', 'stream', 'string_decoder', 'timers/promises', 'util', 'zlib'],
  },
  ...layer(
    'store',
    STORE_MODULES,
    {
      modules: [DOMAIN, { module: 'use-cases', typesOnly: true }],
      packages: ['@electric-sql/pglite', 'pg', 'proper-lockfile', 'zod', 'date-fns'],
      builtins: [
        'crypto',
        'fs',
        'fs/promises',
        'module',
        'net',
        'path',
        'timers/promises',
        'url',
        'v8',
        'worker_threads',
      ],
    },
    Object.keys(STORE_MODULES),
  ),
  ...layer(
    'slack/blocks',
    BLOCK_MODULES,
    {
      modules: [DOMAIN],
      packages: ['@slack/types'],
      builtins: [],
    },
    [],
  ),
  {
    name: 'chart',
    files: /^src\/chart\//,
    modules: [DOMAIN, own('chart')],
    packages: ['opentype.js', '@date-fns/tz'],
    builtins: ['fs', 'module', 'worker_threads', 'zlib'],
  },
  {
    name: 'slack/connection',
    files: /^src\/slack\/connection(\/.*)?\.ts$/,
    modules: [DOMAIN, own('slack/connection')],
    packages: ['@slack/bolt', '@slack/socket-mode', '@slack/web-api', 'zod'],
    builtins: ['http', 'timers/promises'],
  },
  {
    name: 'slack/interactions',
    files: /^src\/slack\/interactions\//,
    modules: [DOMAIN, BLOCKS, own('slack/interactions')],
    packages: ['@slack/bolt', '@slack/web-api', '@slack/types', 'zod'],
    builtins: [],
  },
  {
    name: 'slack/workspace',
    files: /^src\/slack\/workspace\//,
    modules: [DOMAIN, USE_CASES, PASSING_ERRORS, own('slack/workspace')],
    packages: ['@slack/web-api', 'zod'],
    builtins: [],
  },
  {
    name: 'slack/flows',
    files: new RegExp(`^src/slack/[^/]+/((.*-)?(listeners|publisher)|${WITH_EFFECTS.join('|')})\\.ts$`),
    modules: [
      DOMAIN,
      USE_CASES,
      BLOCKS,
      PASSING_ERRORS,
      own('slack/interactions'),
      ownFlow('slack/messages'),
      ownFlow('slack/flows'),
    ],
    packages: ['@slack/web-api', '@slack/types'],
    builtins: ['crypto', 'timers/promises'],
  },
  {
    name: 'slack/messages',
    files: /^src\/slack\/[^/]+\/.+\.ts$/,
    modules: [
      DOMAIN,
      BLOCKS,
      { module: 'use-cases', typesOnly: true },
      { module: 'slack/interactions', typesOnly: true },
      ownFlow('slack/messages'),
    ],
    packages: ['@slack/types', 'date-fns', 'zod'],
    builtins: [],
  },
  { name: 'slack/passing-errors', files: /^src\/slack\/passing-errors\.ts$/, modules: [], packages: [], builtins: [] },
  { name: 'slack/scopes', files: /^src\/slack\/scopes\.ts$/, modules: [], packages: [], builtins: [] },
  {
    name: 'jobs',
    files: /^src\/jobs\//,
    modules: [DOMAIN, USE_CASES, own('jobs')],
    packages: ['pg-boss', 'zod'],
    builtins: ['crypto', 'timers/promises'],
  },
  {
    name: 'config',
    files: /^src\/config(\/.*)?\.ts$/,
    modules: [DOMAIN, own('config')],
    packages: ['zod', 'yaml'],
    builtins: ['fs', 'fs/promises'],
  },
  {
    name: 'process/logger',
    files: /^src\/process\/(logger|describe-error)\.ts$/,
    modules: [DOMAIN, own('process/logger')],
    packages: ['pino'],
    builtins: [],
  },
  {
    name: 'process/tracer',
    files: /^src\/process\/tracer\.ts$/,
    modules: [DOMAIN, own('process/tracer')],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
    builtins: ['async_hooks'],
  },
  {
    name: 'process',
    files: /^src\/process\//,
    modules: [DOMAIN, own('process')],
    packages: ['prom-client', 'zod'],
    builtins: ['crypto', 'fs', 'http', 'timers/promises'],
  },
  {
    name: 'app',
    files: /^src\/app(\/.+)?\.ts$/,
    modules: 'every module of src',
    packages: [],
    builtins: ['crypto', 'events', 'timers/promises'],
  },
  {
    name: 'main',
    files: /^src\/main\.ts$/,
    modules: [own('app'), own('config'), own('process/logger'), own('process')],
    packages: [],
    builtins: ['v8'],
  },
];

/** Folders at the root of the repository. */
export const ROOT_FOLDERS: readonly string[] = ['.ci', 'bench', 'deploy', 'docs', 'sandbox', 'scripts', 'src', 'test'];

/** The only readers of `process.env`. */
export const ENVIRONMENT_READERS: readonly string[] = ['src/main.ts'];

/** The names that several flows of Slack export, each for its own buttons, requests and forms. */
export const OWN_TO_A_FLOW: readonly string[] = [
  ...['LOAD_MORE', 'MORE', 'NEXT', 'NEXT_EVENTS', 'PREVIOUS', 'REFRESH', 'SHARE', 'MUTE_FORM', 'ROWS_A_PAGE'],
  ...['parseRequest', 'writeRequest', 'pageButtons', 'listMessage', 'listRoutes', 'ListParts', 'muteView'],
];
