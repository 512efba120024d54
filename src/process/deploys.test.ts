import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { Environment } from '../lib/environment.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { silent } from '../lib/logger.testing.ts';
import { type Served, serve } from '../lib/serve.testing.ts';
import cases from './deploys.cases.json' with { type: 'json' };
import { answerDeploys } from './deploys.ts';

const PRODUCTION = anEnvironment();
const STAGING = anEnvironment({ name: 'staging', label: 'Staging' });
const TOKEN = 'a-token-of-the-pipeline';
const EXAMPLE = { what: 'checkout 2.3', environment: 'production' };

let server: Served;
let noted: object[];
let outcome: () => Promise<boolean>;
let answer: ReturnType<typeof answerDeploys>;
let now = new Date(0);
let warnings: object[];
const logger = { ...silent, warn: (fields: object) => void warnings.push(fields) };

beforeAll(async () => {
  server = await serve((request, response) => void answer(request, response));
});
afterAll(() => server.close());
beforeEach(() => {
  noted = [];
  warnings = [];
  outcome = async () => true;
  configure([PRODUCTION]);
});

const refusal = (status: unknown) => ({ status, peer: '127.0.0.1' });
// Whatever is refused, nothing of it is quoted in the log.
afterEach(() => {
  for (const warning of warnings) expect(warning).toEqual(refusal(expect.any(Number)));
});

function configure(environments: readonly Environment[]): void {
  const noteDeploy = (deploy: object) => {
    noted.push(deploy);
    return outcome();
  };
  answer = answerDeploys({ token: TOKEN, environments, noteDeploy, logger, now: () => now });
}

async function post(body: unknown, { token = `Bearer ${TOKEN}`, method = 'POST' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = { method, headers: { authorization: token }, ...(method === 'POST' ? { body: text } : {}) };
  const response = await fetch(`${server.url}/deploys`, init);
  return { status: response.status, answer: await response.json() };
}

describe('a deploy report', () => {
  test('is recorded for the environment that it names, with contacts masked, and answered differently if it was before', async () => {
    configure([PRODUCTION, STAGING]);
    expect(await post({ what: ' checkout 2.3 by anna@example.com', environment: 'Staging' })).toEqual({
      status: 201,
      answer: { environment: 'staging', name: 'checkout 2.3 by a•••@example.com' },
    });
    outcome = async () => false;
    expect((await post({ what: 'checkout 2.3', environment: 'staging' })).status).toBe(200);
    expect(noted).toHaveLength(2);
  });

  test.each([
    ['without the token', 'Bearer '],
    ['with a longer one', `Bearer ${TOKEN}x`],
    ['with it in another scheme', TOKEN],
  ])('is refused %s before its body is checked', async (_, token) => {
    expect(await post('no JSON', { token })).toEqual({
      status: 401,
      answer: { error: 'The token is missing or wrong.' },
    });
    expect(noted).toEqual([]);
  });

  test.each(cases.refused)('gets what is wrong and an example back: $body', async ({ body, error }) => {
    expect(await post(body)).toEqual({ status: 400, answer: { error, example: EXAMPLE } });
    expect(warnings).toEqual([refusal(400)]);
    expect(noted).toEqual([]);
  });

  test('must name its environment when there are several', async () => {
    configure([PRODUCTION, STAGING]);
    expect(await post({ what: 'v1' })).toMatchObject({
      status: 400,
      answer: { error: 'environment is missing: one of production, staging.' },
    });
  });

  test('is refused if it is too long or not a POST', async () => {
    expect((await post({ what: 'x'.repeat(5_000) })).status).toBe(413);
    expect((await post('', { method: 'GET' })).status).toBe(405);
  });

  test('gets a 503 when the store accepts no changes', async () => {
    outcome = () => Promise.reject(new StoreTroubleError('read-only'));
    const { status, answer } = await post({ what: 'v1' });
    expect(status).toBe(503);
    expect(answer).toMatchObject({ error: expect.stringContaining("Notif's database accepts no changes") });
  });

  test('without the token is logged once a minute, with where it comes from', async () => {
    for (const seconds of [0, 20, 40, 60]) {
      now = new Date(seconds * 1_000);
      await post('', { token: 'Bearer a guess' });
    }
    expect(warnings.splice(0)).toEqual([refusal(401), refusal(401)]);
  });
});
