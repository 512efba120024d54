import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../config.ts';
import { describeProblems } from './problem.ts';

const complete = {
  NOTIF_API_URL: 'https://api.example.com',
  NOTIF_API_KEY: 'the-key',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
};

async function errorOf(env: NodeJS.ProcessEnv): Promise<ConfigError> {
  const error = await loadConfig(env).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw new Error('The configuration was accepted.', { cause: error });
  return error;
}

const problemsOf = async (env: NodeJS.ProcessEnv) =>
  (await errorOf(env)).problems.map(({ variable, problem }) => `${variable} ${problem}`);

test('names the mistyped variable where another is missing', async () => {
  const { NOTIF_API_KEY: _, ...withoutKey } = complete;
  const error = await errorOf({ ...withoutKey, NOTIF_APIKEY_FILE: '/run/secrets/key' });
  expect(error.problems).toMatchObject([{ variable: 'NOTIF_API_KEY', problem: 'is missing' }]);
  expect(describeProblems(error)).toContain("  NOTIF_APIKEY_FILE isn't used by Notif; it may be misspelled\n");
});

test('names a variable once, with its problem', async () => {
  const error = await errorOf({ ...complete, NOTIF_ENVIRONMENTS: 'production', NOTIF_POLL_SECOND: '5' });
  expect(error.problems.map(({ variable }) => variable)).toEqual(['NOTIF_API_URL', 'NOTIF_API_KEY']);
  expect(error.unused.map(({ variable }) => variable)).toEqual(['NOTIF_POLL_SECOND']);
});

test('takes the variables of an environment with problems for used ones', async () => {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN } = complete;
  const named = { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, NOTIF_ENVIRONMENTS: 'eu', NOTIF_EU_API_KEY: 'the-key' };
  const error = await errorOf(named);
  expect(error.problems.map(({ variable }) => variable)).toEqual(['NOTIF_EU_API_URL']);
  expect(error.unused).toEqual([]);
  expect(describeProblems(error)).not.toContain('set, too');
});

test('says that only secrets can be read from files', async () => {
  const { NOTIF_API_URL: _, ...withoutUrl } = complete;
  const { unused } = await errorOf({ ...withoutUrl, NOTIF_API_URL_FILE: '/run/url' });
  const expected = {
    variable: 'NOTIF_API_URL_FILE',
    warning: "isn't used by Notif: only secrets can be read from files",
  };
  expect(unused).toEqual([expected]);
  expect((await loadConfig({ ...complete, NOTIF_LABEL_FILE: '/run/label' })).warnings).toEqual([
    { ...expected, variable: 'NOTIF_LABEL_FILE' },
  ]);
});

test('names problems of variables and of the file with causes at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-config-'));
  const file = join(folder, 'causes.yml');
  await writeFile(file, 'causes: [{ code: "1" }]');
  const problems = await problemsOf({ ...complete, PORT: 'http', NOTIF_CAUSES_FILE: file });
  expect(problems[0]).toContain('PORT');
  expect(problems[1]).toContain('NOTIF_CAUSES_FILE causes[0].meaning');
  expect((await loadConfig(complete)).ownCauses).toEqual([]);
  await rm(folder, { recursive: true });
});

test.each(['NOTIF_API_KEY_FILE', 'NOTIF_CAUSES_FILE'])(
  'names the quotes around the path of a file: %s',
  async (variable) => {
    const { NOTIF_API_KEY: _, ...withoutKey } = complete;
    const env = variable === 'NOTIF_API_KEY_FILE' ? withoutKey : complete;
    const problems = await problemsOf({ ...env, [variable]: '"/run/it"' });
    expect(problems).toEqual([`${variable} has quotes around its value: leave them out`]);
  },
);

test.each([
  'postgres://notif:p@ss:w/rd@db.example.com/notif',
  'postgres://notif:p#ss@db.example.com/notif',
  'postgres://db.example.com:port/notif',
])('refuses a database address that the driver would refuse: %s', async (url) => {
  expect(await problemsOf({ ...complete, DATABASE_URL: url })).toEqual([
    "DATABASE_URL isn't an address: special characters of a password have to be encoded (%40 for @, %2F for /)",
  ]);
});

test.each([
  'postgres://notif:p%40ss%2Fword@db.example.com:5432/notif?sslmode=verify-full',
  'postgresql:///notif?host=/var/run/postgresql',
  'postgres://notif:secret@/notif?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/notif',
])('takes a database address that the driver takes: %s', async (url) => {
  expect((await loadConfig({ ...complete, DATABASE_URL: url })).database).toEqual({ kind: 'server', url });
});
