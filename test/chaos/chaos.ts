import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '../../sandbox/service/random.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { type OpenDb, openDb } from '../../src/store/open.ts';
import type { Engine } from '../../src/store/store.testing.ts';
import { USUAL_SETTINGS } from '../../src/watches/settings.ts';
import { configuredWatch, madeWatch } from '../../src/watches/watches.testing.ts';
import { drawAct } from '../simulation/draw-people.ts';
import { performAct } from '../simulation/perform-act.ts';
import { type Sample, sampleOf } from '../simulation/samples.ts';
import { startBotProcess } from '../support/bot.ts';
import { BotLog } from '../support/bot-log.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { openWorldAsleep, type World } from '../support/world.ts';
import { discrepancies } from './account.ts';
import { failPending, type Pending, type Planted, planFaults, plantFailures } from './plan.ts';

export interface ChaosOptions {
  engine: Engine;
  kills: number;
  /** How many replicas of the bot run at once. More than one needs a database server. */
  replicas: number;
  seed: number;
}

export interface ChaosReport {
  kills: number;
  /** How many of the kills hit at a chosen statement or call. The others lived too long and were killed from outside. */
  atPoints: number;
  planted: number;
  causes: number;
  discrepancies: readonly string[];
  /** A folder with the store's tables and the last lives as text, and the data folder; null if there is no discrepancy. */
  kept: string | null;
}

const LAST_LIVES = 10;

/** A bot logs this if its data folder is broken. The lives after it would end by themselves, and look like deaths. */
const UNUSABLE = 'could not be opened';

const KILLER = new URL('killer.js', import.meta.url).href;

/** People act while all replicas of a shared store run. */
const ACTS_AFTER_MS = 3_000;

/** A bot that doesn't reach its kill point is killed after this time. */
const LONGEST_LIFE_MS = 12_000;

/** A late failure is found within five minutes; a post that a dead process had begun half a minute later, and edits after that. */
const SETTLED_WITHIN_MS = 400_000;
/** The account needs a stopped bot, and starting a bot costs more than letting it run a little longer. */
const ROUND_MS = 15_000;

/** Kills the bot repeatedly while failures are planted, at points and with faults that the seed decides. Then takes the account. */
export async function unleashChaos(options: ChaosOptions): Promise<ChaosReport> {
  const world = await openWorldAsleep({ database: options.engine, variables: { NOTIF_POLL_SECONDS: '1' } });
  const lives: Life[] = [];
  try {
    const random = createRandom(options.seed);
    const first = await withStore(world, async (store) => {
      await makeWatches(store);
      return sampleNow(store);
    });
    const story: Story = { world, random, planted: [], pending: [], samples: [first] };
    while (lives.length < options.kills) lives.push(...(await killAll(options.replicas, story, lives.length)));
    world.slack.faults.clear();
    world.service.faults.clear();
    failPending(world.service, story.pending);
    const all = [...story.planted, ...story.pending];
    const wrong = await settledAccount(all, story);
    const causes = new Set(story.planted.map(({ word }) => word)).size;
    return {
      kills: lives.length,
      atPoints: lives.filter(({ death }) => death === 'at a point').length,
      planted: story.planted.length + story.pending.length,
      causes,
      discrepancies: wrong,
      kept: wrong.length === 0 ? null : await keepEvidence(wrong, lives, story),
    };
  } catch (error) {
    throw new Error(`the account could not be taken, see ${await keepFolder(lives, world)}`, { cause: error });
  } finally {
    // What the log says about a kill and about Slack's injected faults is expected here.
    await world.close().catch(() => {});
  }
}

async function makeWatches(store: OpenDb): Promise<void> {
  const now = new Date();
  await configuredWatch(store.db, ONCALL, now);
  const settings = { ...USUAL_SETTINGS, filter: { ...USUAL_SETTINGS.filter, channels: ['sms'] }, summaryAt: null };
  await madeWatch(store.db, { channel: GENERAL, createdBy: 'U0ANN', settings }, now);
}

/** How one bot lived and died. */
interface Life {
  number: number;
  death: 'at a point' | 'from outside';
  /** The request path or Slack method that arms the killer, empty for the start, and the number of points from there at which it kills. */
  armedBy: string;
  killAt: string;
  /** The causes planted during this life, and those of earlier steps that failed during it. */
  planted: readonly string[];
  failing: readonly string[];
  log: string;
}

interface Story {
  world: World;
  random: Random;
  planted: Planted[];
  pending: Pending[];
  samples: [...Sample[], Sample];
}

/** Runs and kills all replicas once; `number` is the number of the first replica's life. */
async function killAll(replicas: number, story: Story, number: number): Promise<Life[]> {
  const { world, random } = story;
  planFaults(world.slack, world.service, random);
  const failing = story.pending.splice(0, random.between(0, story.pending.length));
  failPending(world.service, failing);
  const { planted, pending } = plantFailures(world.service, random, story.planted);
  story.planted.push(...failing, ...planted);
  story.pending.push(...pending);
  const wordsOf = (some: readonly Planted[]) => some.map(({ word }) => word);
  const events = { planted: wordsOf([...planted, ...pending]), failing: wordsOf(failing) };
  const numbers = Array.from({ length: replicas }, (_, replica) => number + replica);
  const lives = numbers.map((life) => live(world, random, { number: life, ...events }));
  // The embedded store has one user at a time.
  const isShared = world.variables.DATABASE_URL !== undefined;
  const [lived] = await Promise.all([Promise.all(lives), isShared && wait(ACTS_AFTER_MS).then(() => peopleAct(story))]);
  if (!isShared) await peopleAct(story);
  return lived;
}

/** Somebody acts on an incident, or edits a watch. */
function peopleAct({ world, random, samples }: Story): Promise<void> {
  return withStore(world, async (store) => {
    samples.push(await sampleNow(store));
    const at = Date.now();
    const channels = random.pick<readonly string[]>([[], ['sms'], ['email', 'sms']]);
    const settings = { ...USUAL_SETTINGS, filter: { ...USUAL_SETTINGS.filter, channels }, summaryAt: null };
    if (random.chance(0.3)) await performAct(store.db, drawAct(random, at, 0), 0);
    const edit = {
      at,
      place: random.next(),
      about: null,
      actor: 'U0ANN',
      does: 'edits',
      settings,
      undoneAt: null,
    } as const;
    if (random.chance(0.2)) await performAct(store.db, edit, 0);
    samples.push(await sampleNow(store));
  });
}

const sampleNow = ({ db }: OpenDb) => sampleOf(db, Date.now(), Date.now());

/** Kills one bot in five during its start, the others some points after they begin to poll, post or edit. */
async function live(world: World, random: Random, known: Pick<Life, 'number' | 'planted' | 'failing'>): Promise<Life> {
  const armedBy = random.pick(['', '/v1/notifications', '/v1/notifications', 'chat.postMessage', 'chat.update']);
  const doom = {
    NODE_OPTIONS: `--import ${KILLER}`,
    CHAOS_ARMED_BY: armedBy,
    CHAOS_KILL_AT: String(random.between(0, armedBy === '' ? 120 : 40)),
  };
  const log = new BotLog();
  const bot = await startBotProcess({ variables: { ...world.variables, ...doom }, log });
  const outlived = wait(LONGEST_LIFE_MS, 'from outside' as const, { ref: false });
  const death = await Promise.race([bot.ended.then(() => 'at a point' as const), outlived]);
  await bot.kill();
  if (log.tail(Number.POSITIVE_INFINITY).includes(UNUSABLE))
    throw new Error(`in life ${known.number} the data folder ${UNUSABLE}: ${log.tail()}`);
  return { ...known, death, armedBy, killAt: doom.CHAOS_KILL_AT, log: log.tail(Number.POSITIVE_INFINITY) };
}

/** Saves what the store holds, beside a copy of the data folder. Returns the folder with both. */
async function keepEvidence(
  wrong: readonly string[],
  lives: readonly Life[],
  { world, samples }: Story,
): Promise<string> {
  const folder = await keepFolder(lives, world);
  const rows = Object.entries(samples.at(-1) ?? {}).map(([name, all]) => `## ${name}\n${JSON.stringify(all, null, 1)}`);
  await writeFile(join(folder, 'inquest.txt'), [...wrong, ...rows].join('\n'));
  return folder;
}

/** Copies the data folder, with the logs of the last lives beside it. Returns the folder of both, which outlives the run's temporary ones. */
async function keepFolder(lives: readonly Life[], { variables, log }: World): Promise<string> {
  const folder = await mkdtemp(join('node_modules', 'chaos-'));
  const { NOTIF_DATA_DIR } = variables;
  if (NOTIF_DATA_DIR) await cp(NOTIF_DATA_DIR, join(folder, 'data'), { recursive: true });
  const last = lives.slice(-LAST_LIVES).map(({ log: lines, ...life }) => `${JSON.stringify(life)}\n${lines}`);
  await writeFile(join(folder, 'last-lives.txt'), [...last, log.tail(Number.POSITIVE_INFINITY)].join('\n'));
  return folder;
}

/** Runs the bot until the account is right or time is up. Returns the remaining discrepancies. */
async function settledAccount(planted: readonly Planted[], { world, samples }: Story): Promise<readonly string[]> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const bot = await startBotProcess({ variables: world.variables, log: world.log });
    await Promise.race([bot.ended, wait(ROUND_MS)]);
    await bot.stop();
    samples.push(await withStore(world, sampleNow));
    const wrong = await discrepancies(planted, samples, world.slack);
    if (wrong.length === 0 || Date.now() > until) return wrong;
  }
}

/** The embedded store can only be opened while no bot runs. */
async function withStore<Result>({ variables }: World, work: (store: OpenDb) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL, NOTIF_DATA_DIR = '' } = variables;
  const database =
    DATABASE_URL === undefined
      ? ({ kind: 'embedded', folder: NOTIF_DATA_DIR } as const)
      : ({ kind: 'server', url: DATABASE_URL } as const);
  const store = await openDb(database, { logger: silent });
  return work(store).finally(() => store.close());
}
