import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { deployName } from '../changes/change.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { sendJson } from './health.ts';

export interface DeploysOptions {
  readonly token: string;
  readonly environments: readonly Environment[];
  noteDeploy(deploy: { readonly environment: string; readonly name: string }): Promise<boolean>;
  readonly logger: Logger;
}

const EXAMPLE = 'checkout 2.3';

/** Far more than a report needs. */
const MOST_BYTES = 4_096;

const Report = z.strictObject({
  what: z.string({ error: 'is missing: say what was deployed, as a text' }),
  environment: z.string({ error: "isn't a text" }).optional(),
});

class RefusedReport extends Error {
  override readonly name = 'RefusedReport';
  readonly status: number;
  readonly field: string | null;

  constructor(status: number, message: string, field: string | null = null) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/**
 * Handles `POST /deploys`. Statuses: 201 for a deploy, 200 for one that was just reported, 401 without the token, 400 with the wrong field
 * and an example, 405, 413, and 503 while the store is in trouble. Logs nothing of what was sent.
 */
export function answerDeploys({ token, environments, noteDeploy, logger }: DeploysOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (request.method !== 'POST') throw new RefusedReport(405, 'A deploy is reported by POST.');
      // A scheme has no case (RFC 9110, section 11.1).
      const authorization = (request.headers.authorization ?? '').replace(/^bearer /i, 'Bearer ');
      if (!isSame(authorization, `Bearer ${token}`)) throw new RefusedReport(401, 'The token is missing or wrong.');
      const deploy = readReport(await bodyOf(request), environments);
      sendJson(response, (await noteDeploy(deploy)) ? 201 : 200, deploy);
    } catch (error) {
      const { status, message, field } = refused(error);
      logger.warn({ status }, 'a report of a deploy was refused');
      const example = { what: EXAMPLE, environment: environments[0]?.name };
      if (status === 413) response.setHeader('connection', 'close');
      sendJson(response, status, status === 400 ? { error: message, field, example } : { error: message });
    }
  };
}

/** Compares in constant time, so that timing reveals neither where the texts differ nor how long they are. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new RefusedReport(413, `A report has at most ${MOST_BYTES} bytes.`);
    chunks.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new RefusedReport(400, "The body isn't JSON.");
  }
}

function readReport(body: unknown, environments: readonly Environment[]) {
  const { data, error } = Report.safeParse(body);
  if (data === undefined) {
    const [issue] = error.issues;
    if (issue?.code === 'unrecognized_keys') throw new RefusedReport(400, "isn't a field of a report", issue.keys[0]);
    const field = issue?.path[0];
    if (field === undefined) throw new RefusedReport(400, "The body isn't a JSON object.");
    throw new RefusedReport(400, issue?.message ?? 'is wrong', String(field));
  }
  const names = environments.map(({ name }) => name);
  if (data.environment === undefined && names.length > 1)
    throw new RefusedReport(400, `is missing: one of ${names.join(', ')}`, 'environment');
  return { environment: environmentNamed(data.environment, environments).name, name: deployName(data.what, EXAMPLE) };
}

function refused(error: unknown): Pick<RefusedReport, 'status' | 'message' | 'field'> {
  if (error instanceof RefusedReport) return error;
  // A report calls its fields otherwise than a command.
  if (error instanceof InputError)
    return { status: 400, message: error.message, field: error.field === 'env' ? 'environment' : error.field };
  if (!(error instanceof StoreTroubleError)) throw error;
  return { status: 503, message: `${error.message} ${error.next}`, field: null };
}
