import { describe, expect, test } from 'vitest';
import cases from './config.environments.cases.json' with { type: 'json' };
import { problemsOf, slackOnly } from './config.testing.ts';
import { parseConfig } from './config.ts';

describe('environments', () => {
  test.each(cases.protected)(
    'are protected if their name or label says production, unless overridden: $name $variables',
    ({ name, variables, isProtected }) => {
      const prefix = `NOTIF_${name.toUpperCase().replaceAll('-', '_')}`;
      const { environments } = parseConfig({
        ...slackOnly,
        NOTIF_ENVIRONMENTS: name,
        [`${prefix}_API_URL`]: 'https://api.example.com',
        [`${prefix}_API_KEY`]: 'key',
        ...variables,
      });
      expect(environments.map(({ environment }) => environment.isProtected)).toEqual([isProtected]);
    },
  );

  test('each have their own variables, with hyphens as underscores', () => {
    const { environments } = parseConfig({
      ...slackOnly,
      NOTIF_ENVIRONMENTS: 'eu-west, staging',
      NOTIF_EU_WEST_API_URL: 'https://eu.example.com/notifications/',
      NOTIF_EU_WEST_API_KEY: 'eu-key',
      NOTIF_EU_WEST_LABEL: 'EU',
      NOTIF_EU_WEST_DASHBOARD_URL: 'https://eu.dash.example.com/',
      NOTIF_EU_WEST_PROTECTED: 'true',
      NOTIF_STAGING_API_URL: 'https://staging.example.com',
      NOTIF_STAGING_API_KEY: 'staging-key',
      NOTIF_DASHBOARD_URL: 'https://dash.example.com/',
    });
    expect(environments.map(({ apiUrl, apiKey }) => [apiUrl, apiKey])).toEqual([
      ['https://eu.example.com/notifications', 'eu-key'],
      ['https://staging.example.com', 'staging-key'],
    ]);
    expect(environments.map(({ environment }) => Object.values(environment).join(' '))).toEqual([
      'eu-west EU https://eu.dash.example.com true eu.example.com NOTIF_EU_WEST_API_URL NOTIF_EU_WEST_API_KEY',
      'staging staging https://dash.example.com false staging.example.com NOTIF_STAGING_API_URL NOTIF_STAGING_API_KEY',
    ]);
  });

  test.each(['Production', 'a_b', 'eu west', ',', 'a,a', 'a'.repeat(33)])(
    'are refused for the list of names %j',
    (names) => {
      expect(problemsOf({ ...slackOnly, NOTIF_ENVIRONMENTS: names })[0]?.variable).toBe('NOTIF_ENVIRONMENTS');
    },
  );

  const labeled = (production: string, staging?: string) =>
    problemsOf({
      ...slackOnly,
      NOTIF_ENVIRONMENTS: 'production,staging',
      NOTIF_PRODUCTION_API_URL: 'https://api.example.com',
      NOTIF_PRODUCTION_API_KEY: 'key',
      NOTIF_PRODUCTION_LABEL: production,
      NOTIF_STAGING_API_URL: 'https://staging.example.com',
      NOTIF_STAGING_API_KEY: 'key',
      NOTIF_STAGING_LABEL: staging,
    }).map(({ variable }) => variable);

  test.each([
    ['Staging', 'staging'],
    ['EU', 'eu'],
  ])('are refused when one has the name or label of another: %s, %s', (production, staging) => {
    expect(labeled(production, staging)).toEqual(['NOTIF_ENVIRONMENTS']);
  });

  test('can have a label that is their own name', () => {
    expect(labeled('production')).toEqual([]);
  });
});
