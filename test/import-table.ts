/** What a room may import from another room. */
export interface Door {
  readonly room: string;
  /** Types alone: nothing of the other room runs. */
  readonly typesOnly?: true;
  /** Only from the same folder: a flow knows itself, not its neighbours. */
  readonly sameFolder?: true;
}

export interface Room {
  readonly name: string;
  /** Paths from the root of the repository. A file belongs to the first room that matches. */
  readonly files: RegExp;
  readonly rooms: readonly Door[] | 'every room of src';
  /** Names of packages; what stands before a slash allows what is below it. */
  readonly packages: readonly string[];
  /** Modules of Node without their `node:`. */
  readonly builtins: readonly string[];
}

const DOMAIN: Door = { room: 'domain' };
const USE_CASES: Door = { room: 'use-cases' };
const BLOCKS: Door = { room: 'slack/blocks' };
const own = (room: string): Door => ({ room });
const ownFlow = (room: string): Door => ({ room, sameFolder: true });

/**
 * The rooms of `src/` and what each may import, as docs/architecture.md says. When it no longer fits, change it there
 * and here.
 */
export const ROOMS: readonly Room[] = [
  {
    name: 'domain',
    files: /^src\/domain\//,
    rooms: [DOMAIN],
    packages: ['date-fns', '@date-fns/tz'],
    builtins: ['crypto'],
  },
  {
    name: 'use-cases',
    files: /^src\/use-cases\//,
    rooms: [DOMAIN, USE_CASES],
    packages: ['date-fns'],
    builtins: ['crypto'],
  },
  {
    name: 'notification-service',
    files: /^src\/notification-service\//,
    rooms: [DOMAIN, own('notification-service')],
    packages: ['ofetch', 'zod', 'date-fns'],
    builtins: ['crypto', 'string_decoder', 'timers/promises', 'util'],
  },
  {
    name: 'store',
    files: /^src\/store\//,
    rooms: [DOMAIN, { room: 'use-cases', typesOnly: true }, own('store')],
    packages: ['@electric-sql/pglite', 'pg', 'proper-lockfile', 'zod', 'date-fns'],
    builtins: ['crypto', 'fs', 'fs/promises', 'net', 'os', 'path', 'timers/promises', 'url', 'worker_threads'],
  },
  {
    name: 'slack/blocks',
    files: /^src\/slack\/blocks\//,
    rooms: [DOMAIN, BLOCKS],
    packages: ['@slack/types', 'date-fns'],
    builtins: [],
  },
  {
    name: 'slack/connection',
    files: /^src\/slack\/connection(\/.*)?\.ts$/,
    rooms: [DOMAIN, own('slack/connection')],
    packages: ['@slack/bolt', '@slack/socket-mode', '@slack/web-api', 'zod'],
    builtins: ['http', 'timers/promises'],
  },
  {
    name: 'slack/doors',
    files: /^src\/slack\/(doors\/.+|on-error)\.ts$/,
    rooms: [DOMAIN, BLOCKS, own('slack/doors')],
    packages: ['@slack/bolt', '@slack/web-api', '@slack/types', 'zod'],
    builtins: [],
  },
  {
    name: 'slack/messages',
    files: /^src\/slack\/[^/]+\/(.*-)?(message|modal)\.ts$/,
    rooms: [DOMAIN, BLOCKS, { room: 'use-cases', typesOnly: true }, ownFlow('slack/messages')],
    packages: ['@slack/types', 'date-fns', 'zod'],
    builtins: [],
  },
  {
    name: 'slack/flows',
    files: /^src\/slack\/[^/]+\/.+\.ts$/,
    rooms: [DOMAIN, USE_CASES, BLOCKS, own('slack/doors'), ownFlow('slack/messages'), ownFlow('slack/flows')],
    packages: ['@slack/bolt', '@slack/web-api', '@slack/types', 'date-fns', 'zod'],
    builtins: ['crypto', 'timers/promises'],
  },
  { name: 'slack/scopes', files: /^src\/slack\/scopes\.ts$/, rooms: [], packages: [], builtins: [] },
  {
    name: 'slack/routes',
    files: /^src\/slack\/routes\.ts$/,
    rooms: [
      DOMAIN,
      USE_CASES,
      BLOCKS,
      own('slack/routes'),
      own('slack/doors'),
      own('slack/flows'),
      own('slack/messages'),
    ],
    packages: ['@slack/bolt', '@slack/web-api'],
    builtins: [],
  },
  {
    name: 'jobs',
    files: /^src\/jobs\//,
    rooms: [DOMAIN, USE_CASES, own('jobs')],
    packages: ['pg-boss', 'zod', 'date-fns'],
    builtins: ['crypto', 'timers/promises'],
  },
  {
    name: 'config',
    files: /^src\/config(\/.*)?\.ts$/,
    rooms: [DOMAIN, own('config')],
    packages: ['zod', 'yaml'],
    builtins: ['fs', 'fs/promises'],
  },
  {
    name: 'logger',
    files: /^src\/(logger|describe-error)\.ts$/,
    rooms: [DOMAIN, own('logger')],
    packages: ['pino'],
    builtins: [],
  },
  {
    name: 'process',
    files: /^src\/(health|heartbeat|metrics(\/.+)?|run-until-stopped|version)\.ts$/,
    rooms: [DOMAIN, own('process')],
    packages: ['prom-client'],
    builtins: ['fs', 'http', 'timers/promises'],
  },
  {
    name: 'app',
    files: /^src\/app(\/.+)?\.ts$/,
    rooms: 'every room of src',
    packages: ['@slack/bolt', 'prom-client', 'zod', 'date-fns'],
    builtins: ['crypto', 'timers/promises'],
  },
  {
    name: 'main',
    files: /^src\/main\.ts$/,
    rooms: [own('app'), own('config'), own('logger'), own('process')],
    packages: [],
    builtins: [],
  },
];

/** What stands at the root of the repository beside `src/`, and is no room of it. */
export const ROOT_FOLDERS: readonly string[] = ['.ci', 'bench', 'deploy', 'docs', 'sandbox', 'scripts', 'src', 'test'];

/** The only readers of `process.env`. */
export const ENVIRONMENT_READERS: readonly string[] = ['src/main.ts'];
