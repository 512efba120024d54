import { describe, expect, test } from 'vitest';
import { complete, problemsOf, slackOnly } from './config.testing.ts';
import { parseConfig } from './config.ts';

describe('warnings', () => {
  test("cover an address that ends with the API's version, and a key that is two environments'", () => {
    const [URL, KEY] = ['https://api.example.com', 'the-key'];
    const several = { ...slackOnly, NOTIF_ENVIRONMENTS: 'production,staging', NOTIF_PRODUCTION_API_URL: URL };
    const { warnings } = parseConfig({
      ...several,
      NOTIF_PRODUCTION_API_KEY: KEY,
      NOTIF_STAGING_API_URL: `${URL}/`,
      NOTIF_STAGING_API_KEY: KEY,
    });
    expect(warnings.map(({ variable, problem }) => `${variable} ${problem}`)).toEqual([
      'NOTIF_STAGING_API_KEY is also the key of production: both read the same events',
    ]);
    expect(parseConfig({ ...complete, NOTIF_API_URL: `${URL}/v1/` }).warnings).toMatchObject([
      { variable: 'NOTIF_API_URL', problem: "ends with the API's version, which Notif adds itself" },
    ]);
  });

  test('cover an API key that travels unencrypted, except to this machine', () => {
    const warningsFor = (address: string) => parseConfig({ ...complete, NOTIF_API_URL: address }).warnings;
    expect(warningsFor('http://notifications.internal')).toEqual([
      expect.objectContaining({
        variable: 'NOTIF_API_URL',
        problem: 'is an http address: the API key travels unencrypted',
      }),
    ]);
    expect(warningsFor('HTTP://Notifications.internal')).toHaveLength(1);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(warningsFor(`http://${host}:4000`)).toEqual([]);
    expect(warningsFor('https://a.example')).toEqual([]);
  });

  test('cover a database that is reached unencrypted, unless that is said', () => {
    const named = (variables: object) =>
      parseConfig({ ...complete, ...variables }).warnings.map(({ variable }) => variable);
    const far = 'postgres://notif:secret@db.example.com/notif';
    expect(named({ DATABASE_URL: far })).toEqual(['DATABASE_URL']);
    for (const url of [
      `${far}?sslmode=disable`,
      'postgres://notif@localhost/notif',
      'postgres://notif:s@/notif?host=/run',
      'postgres://notif:s@%2Frun:5432/notif',
    ])
      expect([url, named({ DATABASE_URL: url })]).toEqual([url, []]);
  });

  test("cover a variable that Notif doesn't use", () => {
    const lost = { NOTIF_POLL_SECOND: '5', NOTIF_STAGING_API_KEY: 'key' };
    expect(parseConfig({ ...complete, ...lost }).warnings.map(({ variable }) => variable)).toEqual(Object.keys(lost));
  });
});

test('a misspelled variable is named where another is missing', () => {
  const { NOTIF_API_KEY: _, ...withoutKey } = complete;
  const problems = problemsOf({ ...withoutKey, NOTIF_APIKEY_FILE: '/run/secrets/key' });
  expect(problems.map(({ variable, problem }) => `${variable} ${problem}`)).toEqual([
    'NOTIF_API_KEY is missing',
    "NOTIF_APIKEY_FILE isn't used by Notif; it may be misspelled",
  ]);
});
