import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deployName } from '../changes/change.ts';
import type { ReportedDeploy } from '../changes/changes.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { InputError, StoreTroubleError } from '../lib/errors.ts';
import { bodyOf } from '../lib/http.ts';
import { createSparseLog, type Logger } from '../lib/logger.ts';
import { hashOf } from '../lib/text/hash.ts';
import { jsonIn } from '../lib/text/scrub.ts';
import { type Answer, sendJson } from './server.ts';

interface DeploysOptions {
  token: string;
  environments: readonly Environment[];
  noteDeploy(deploy: ReportedDeploy): Promise<boolean>;
  logger: Logger;
  now: () => Date;
}

const EXAMPLE = 'checkout 2.3';
/** A report is a name of at most 200 characters, and an environment. */
const MOST_BYTES = 4_096;

const Report = z.strictObject({ what: z.string(), environment: z.string().optional() });

/** Answers 201 for a new deploy, 200 for a repeated one, 503 while the store is in trouble. */
export function answerDeploys({ token, environments, noteDeploy, logger, now }: DeploysOptions): Answer {
  const mayLog = createSparseLog(() => now().getTime());
  return async (request, response) => {
    // A request that isn't read to its end loses its socket.
    const peer = request.socket.remoteAddress;
    const refuse = (status: number, error: string, details: object = {}) => {
      // Anyone without the token could fill the log.
      if (status !== 401 || mayLog('unauthorized')) logger.warn({ status, peer }, 'A report of a deploy was refused');
      sendJson(response, status, { error, ...details });
    };
    // The scheme's case doesn't matter (RFC 9110, 11.1).
    const authorization = (request.headers.authorization ?? '').replace(/^bearer /i, 'Bearer ');
    if (!isSame(authorization, `Bearer ${token}`)) return refuse(401, 'The token is missing or wrong.');
    if (request.method !== 'POST') return refuse(405, 'A deploy is reported by POST.');
    const body = await bodyOf(request, MOST_BYTES);
    if (body === null) {
      response.setHeader('connection', 'close');
      return refuse(413, `A report has at most ${MOST_BYTES} bytes.`);
    }
    try {
      const deploy = readReport(body.toString(), environments);
      sendJson(response, (await noteDeploy({ ...deploy, actor: null })) ? 201 : 200, deploy);
    } catch (error) {
      if (error instanceof StoreTroubleError) return refuse(503, error.message);
      if (!(error instanceof InputError)) throw error;
      refuse(400, error.message, { example: { what: EXAMPLE, environment: environments[0]?.name } });
    }
  };
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => Buffer.from(hashOf(text, 64));
  return timingSafeEqual(digest(given), digest(expected));
}

function readReport(body: string, environments: readonly Environment[]): Pick<ReportedDeploy, 'environment' | 'name'> {
  const { data } = Report.safeParse(jsonIn(body));
  if (data === undefined)
    throw new InputError('body', "The report isn't a JSON object with what and environment, both texts.");
  const { what, environment } = data;
  if (environment === undefined && environments.length > 1)
    throw new InputError('env', `environment is missing: one of ${environments.map(({ name }) => name).join(', ')}.`);
  return { environment: environmentNamed(environment, environments).name, name: deployName(what, EXAMPLE) };
}
