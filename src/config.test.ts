import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import defaults from './config.defaults.json' with { type: 'json' };
import { complete, problemsOf, slackOnly } from './config.testing.ts';
import { loadConfig, logLevelIn, parseConfig } from './config.ts';
import { SECRETS } from './process/variables.ts';

function problemWith(variable: string, value: string): string | undefined {
  return problemsOf({ ...complete, [variable]: value }).find((problem) => problem.variable === variable)?.problem;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: string): Promise<string> {
  const file = join(folder, 'file');
  await writeFile(file, content);
  return file;
}

describe('a secret file', () => {
  const { NOTIF_API_KEY: _key, ...withoutKey } = complete;

  test('replaces the variable, also that of a named environment', async () => {
    const file = await fileWith('from-the-file\n');
    const { environments, warnings } = parseConfig({ ...withoutKey, NOTIF_API_KEY_FILE: file });
    expect(environments[0]?.apiKey).toBe('from-the-file');
    expect(warnings).toEqual([]);
    const several = { ...slackOnly, NOTIF_ENVIRONMENTS: 'eu-west', NOTIF_EU_WEST_API_URL: 'https://api.example.com' };
    const named = parseConfig({ ...several, NOTIF_EU_WEST_API_KEY_FILE: file });
    expect(named.environments[0]?.apiKey).toBe('from-the-file');
  });

  test.each(SECRETS)('can supply %s', async (secret) => {
    const values: Record<string, string> = {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      DATABASE_URL: 'postgres://db/notif',
    };
    const value = values[secret] ?? 'https://example.com/secret';
    const supplied = parseConfig({ ...complete, [secret]: '', [`${secret}_FILE`]: await fileWith(`${value}\n`) });
    expect(supplied).toEqual(parseConfig({ ...complete, [secret]: value }));
  });

  test.each([
    ['SLACK_BOT_TOKEN', null, {}, "names a file that can't be read (ENOENT)"],
    ['NOTIF_API_KEY', ' \n', {}, 'names an empty file'],
    ['NOTIF_API_KEY', 'key', { NOTIF_API_KEY: 'k' }, 'is set beside NOTIF_API_KEY: use one or the other'],
  ])(
    'of %s is the only problem reported when it is missing, empty or beside its variable: %o',
    async (secret, content, given, problem) => {
      const file = content === null ? join(folder, 'none') : await fileWith(content);
      const example = `/run/secrets/${secret.toLowerCase()}`;
      const problems = problemsOf({ ...complete, [secret]: '', [`${secret}_FILE`]: file, PORT: 'http', ...given });
      expect(problems).toEqual([{ variable: `${secret}_FILE`, problem, example }]);
    },
  );
});

describe('parseConfig', () => {
  test('requires four variables and has defaults for the rest', () => {
    expect(parseConfig(complete)).toEqual(defaults);
  });

  test('reports every problem at once', () => {
    const problems = problemsOf({ SLACK_BOT_TOKEN: 'xapp-1', PORT: 'http', NOTIF_POLL_SECONDS: '0' });
    expect(problems.map(({ variable, problem }) => `${variable} ${problem}`)).toEqual([
      'NOTIF_API_URL is missing',
      'NOTIF_API_KEY is missing',
      "SLACK_BOT_TOKEN isn't a bot token, which starts with xoxb-",
      "NOTIF_POLL_SECONDS isn't a whole number from 1 to 3600",
      "PORT isn't a whole number from 0 to 65535",
      'SLACK_APP_TOKEN is missing',
    ]);
  });

  test('never repeats a value in a problem', () => {
    const addresses = ['NOTIF_API_URL', 'NOTIF_HEARTBEAT_URL', 'NOTIF_ALERTMANAGER_URL', 'DATABASE_URL'];
    const others = ['NOTIF_API_KEY', 'SLACK_BOT_TOKEN', 'NOTIF_OPERATORS', 'PORT'];
    fc.assert(
      fc.property(fc.constantFrom(...addresses, ...others), fc.string(), (variable, random) => {
        const value = `planted ${random}`;
        expect(JSON.stringify(problemsOf({ ...complete, [variable]: value }))).not.toContain(value);
      }),
    );
  });

  test('picks HTTP mode, in which the port is public, for a signing secret without an app token, else Socket Mode', () => {
    const { SLACK_APP_TOKEN: _, ...withoutAppToken } = complete;
    const posted = parseConfig({ ...withoutAppToken, SLACK_SIGNING_SECRET: 'secret' });
    expect(posted.slack.transport).toEqual({ mode: 'http', signingSecret: 'secret' });
    expect([posted.hasMetrics, posted.host]).toEqual([false, null]);
    const both = parseConfig({ ...complete, SLACK_SIGNING_SECRET: 'secret' });
    expect(both.slack.transport).toEqual({ mode: 'socket', appToken: complete.SLACK_APP_TOKEN });
  });
});

describe('values', () => {
  test.each(['ftp://example.com', 'example.com', 'https://user:pass@example.com', 'https://example.com/?a=b'])(
    'refuses the address %s',
    (address) => {
      expect(problemWith('NOTIF_API_URL', address)).toBeDefined();
      expect(problemWith('NOTIF_DASHBOARD_URL', address)).toBeDefined();
      expect(problemWith('SLACK_API_URL', address)).toBeDefined();
    },
  );

  test.each([
    ['HTTPS://API.Example.com:443', 'https://api.example.com'],
    ['https://api.example.com/Base//', 'https://api.example.com/Base'],
  ])('takes the address %s for %s', (address, taken) => {
    expect(parseConfig({ ...complete, NOTIF_API_URL: address }).environments[0]?.apiUrl).toBe(taken);
  });

  test.each(['the-кey', 'the\u200bkey', 'the\nkey', 'the key'])(
    'refuses a secret that no header can hold: %j',
    (value) => {
      for (const secret of ['NOTIF_API_KEY', 'SLACK_SIGNING_SECRET', 'SLACK_BOT_TOKEN'])
        expect(problemWith(secret, `xoxb-${value}`)).toContain('copy it again');
    },
  );

  test.each(['"', "'"])('takes %s around a value away, which some ways of setting variables keep', (quote) => {
    const config = parseConfig({ ...complete, PORT: `${quote}4000${quote}`, NOTIF_LABEL: `${quote}Shop${quote}` });
    expect([config.port, config.environments[0]?.environment.label]).toEqual([4000, 'Shop']);
    expect(logLevelIn({ LOG_LEVEL: `${quote}debug${quote} ` })).toBe('debug');
  });

  test('takes a blank in quotes for no value', () => {
    const config = parseConfig({ ...complete, NOTIF_LABEL: '" "', HOST: "' '", NOTIF_DATA_DIR: '" ./notif "' });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      dataDir: './notif',
      environments: [{ environment: { label: 'default' } }],
    });
  });

  test('keeps what failed for longer than events are checked', () => {
    const config = parseConfig({ ...complete, NOTIF_HORIZON_HOURS: '240', NOTIF_RETENTION_DAYS: '7' });
    expect(config.retentionDays).toBe(21);
  });

  test('keeps the heartbeat address unchanged, including the secret in it', () => {
    const address = 'https://heartbeats.example.com/ping/9f2c?rid=1';
    const config = parseConfig({ ...complete, NOTIF_HEARTBEAT_URL: address });
    expect(config).toMatchObject({ heartbeatUrl: address, warnings: [] });
  });

  test.each(['#oncall', 'U0123456789'])('refuses %s as a channel', (channel) => {
    expect(problemWith('NOTIF_DIGEST_CHANNEL', channel)).toBe("isn't a channel ID: names don't work");
  });

  test.each(['@ann', 'C0123456789'])('refuses %s as an operator', (operator) => {
    expect(problemWith('NOTIF_OPERATORS', operator)).toContain("names don't work");
  });

  test('refuses a database address that the driver would refuse, and takes one that it takes', () => {
    const problem = expect.stringContaining("isn't a postgres:// address with the special characters");
    expect(problemWith('DATABASE_URL', 'mysql://db.example.com')).toEqual(problem);
    for (const password of ['p@ss:w/rd', '12#ss', '12/ss', '12?ss', 'p@ss#x'])
      expect(problemWith('DATABASE_URL', `postgres://notif:${password}@db.example.com/notif`)).toEqual(problem);
    for (const url of [
      'postgres://notif:p%40ss%2Fword@db:5432/notif',
      'postgresql://notif:secret@/notif?host=/var/run',
    ])
      expect(parseConfig({ ...complete, DATABASE_URL: url }).database).toEqual({ kind: 'server', url });
  });
});

describe('an Alertmanager', () => {
  const url = 'https://alerts.example.com/base';
  const [USER, PASSWORD] = ['NOTIF_ALERTMANAGER_USER', 'NOTIF_ALERTMANAGER_PASSWORD'];
  const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;

  test.each([
    [url, {}, null],
    [url, { NOTIF_ALERTMANAGER_TOKEN: 'a-token' }, 'Bearer a-token'],
    [url, { [USER]: 'notif', [PASSWORD]: 'zwölf: p@ss/w%rd' }, basic('notif:zwölf: p@ss/w%rd')],
    ['https://notif:p%40ss%2Fw%25rd@alerts.example.com/base/', {}, basic('notif:p@ss/w%rd')],
    ['https://notif:p@ss@alerts.example.com/base', {}, basic('notif:p@ss')],
  ])('at %s with %o gets its login in a header, and its address has none', (given, variables, authorization) => {
    const { alertmanager } = parseConfig({ ...complete, NOTIF_ALERTMANAGER_URL: given, ...variables });
    expect(alertmanager).toEqual({ url, authorization, environments: ['default'] });
  });

  test.each([
    ['https://notif:12/ss@alerts.example.com', {}, 'URL has a user name or password whose special characters'],
    ['https://notif:p%ss@alerts.example.com', {}, 'URL has a user name or password whose special characters'],
    ['https://notif:pass@alerts.example.com', { [USER]: 'notif', [PASSWORD]: 'pass' }, 'URL has two logins'],
    ['https://notif:pass@alerts.example.com', { NOTIF_ALERTMANAGER_TOKEN: 'a-token' }, 'URL has two logins'],
    [url, { [USER]: 'notif' }, 'PASSWORD is missing'],
    [url, { [PASSWORD]: 'pass' }, 'USER is missing'],
  ])('at %s with %o is refused, and the login is not shown', (given, variables, words) => {
    const problems = problemsOf({ ...complete, NOTIF_ALERTMANAGER_URL: given, ...variables });
    expect(problems.map(({ variable, problem }) => `${variable} ${problem}`)).toEqual([
      expect.stringMatching(`^NOTIF_ALERTMANAGER_${words}(?!.*notif:)`),
    ]);
  });
});

test('a pager of an environment that is not configured is named beside the other problems', () => {
  const given = {
    NOTIF_ALERTMANAGER_URL: 'https://alerts.example.com',
    NOTIF_ALERTMANAGER_ENVIRONMENTS: 'default,prod',
  };
  const problems = problemsOf({ ...complete, ...given, NOTIF_API_KEY: '', PORT: 'http' });
  expect(problems.map(({ variable, problem }) => `${variable} ${problem}`)).toEqual([
    'NOTIF_API_KEY is missing',
    expect.stringContaining('PORT '),
    'NOTIF_ALERTMANAGER_ENVIRONMENTS names no environment of NOTIF_ENVIRONMENTS: prod',
  ]);
});

describe('NOTIF_CAUSES_FILE', () => {
  async function loaded(yaml: string) {
    return loadConfig({ ...complete, NOTIF_CAUSES_FILE: await fileWith(yaml) });
  }

  test('adds its causes', async () => {
    const entry = 'code: "30007", meaning: The carrier blocks our sender., whose: setup, next: Ask the messaging team.';
    expect((await loaded(`causes: [{ ${entry} }]`)).customCauses).toMatchObject([{ codes: ['30007'], whose: 'setup' }]);
    expect((await loadConfig(complete)).customCauses).toEqual([]);
  });

  test('is refused by the field that is wrong, without its value, or because it cannot be read', async () => {
    await expect(loaded('causes: [{ code: "1", whose: sesame }]')).rejects.toThrow(
      'NOTIF_CAUSES_FILE causes[0].meaning',
    );
    await expect(loaded('causes: [{ code: "1", whose: sesame }]')).rejects.not.toThrow('sesame');
    await expect(loadConfig({ ...complete, NOTIF_CAUSES_FILE: join(folder, 'none.yml') })).rejects.toThrow(
      "NOTIF_CAUSES_FILE names a file that can't be read (ENOENT)",
    );
  });
});
