/**
 * Loaded into the bot's process before anything else: ends it as a power cut would, before or after one of its statements or calls.
 * CHAOS_KILL_AT is how many such points it lives through; they are counted from the first call whose address holds CHAOS_ARMED_BY.
 */
import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';

const { CHAOS_KILL_AT = '', CHAOS_ARMED_BY = '', DATABASE_URL } = process.env;
if (CHAOS_KILL_AT !== '') await arm(pointsUntilDeath(Number(CHAOS_KILL_AT), CHAOS_ARMED_BY));

function pointsUntilDeath(points, armedBy) {
  let left = points;
  let isArmed = armedBy === '';
  return (what) => {
    isArmed ||= what.includes(armedBy);
    if (isArmed && --left < 0) process.kill(process.pid, 'SIGKILL');
  };
}

async function arm(point) {
  // Node's fetch, which calls Slack and the service, reports here.
  const report = ({ request }) => point(`${request.origin}${request.path}`);
  subscribe('undici:request:create', report);
  subscribe('undici:request:headers', report);
  const { PGlite } = await import('@electric-sql/pglite');
  if (DATABASE_URL === undefined) watchStatements(Object.getPrototypeOf(PGlite.prototype), point);
  else watchStatements(createRequire(`${process.cwd()}/package.json`)('pg').Client.prototype, point);
}

function watchStatements(prototype, point) {
  const { query } = prototype;
  prototype.query = function (...statement) {
    point('statement');
    const outcome = query.apply(this, statement);
    if (outcome instanceof Promise) outcome.then(() => point('outcome')).catch(() => {});
    return outcome;
  };
}
