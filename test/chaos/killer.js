/**
 * Loaded into the bot's process before anything else: ends it as a power cut would, before or after one of its statements or calls.
 * CHAOS_KILL_AT is how many such points it lives through; they are counted from the first call whose address holds CHAOS_ARMED_BY.
 */
import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';

const { CHAOS_KILL_AT = '', CHAOS_ARMED_BY = '' } = process.env;
if (isMainThread && CHAOS_KILL_AT !== '') arm(pointsUntilDeath(Number(CHAOS_KILL_AT), CHAOS_ARMED_BY));

function pointsUntilDeath(points, armedBy) {
  let left = points;
  let isArmed = armedBy === '';
  return (what) => {
    isArmed ||= what.includes(armedBy);
    if (isArmed && --left < 0) process.kill(process.pid, 'SIGKILL');
  };
}

function arm(point) {
  watchCalls(point);
  watchEmbeddedDatabase(point);
  if (process.env.DATABASE_URL !== undefined) watchServer(point);
}

/** Slack is called by Node's fetch and the service by undici's request: both report here. */
function watchCalls(point) {
  const report = ({ request }) => point(`${request.origin}${request.path}`);
  subscribe('undici:request:create', report);
  subscribe('undici:request:headers', report);
}

/** The embedded database lives in a worker: a statement is a message to it, its outcome one back. */
function watchEmbeddedDatabase(point) {
  const { postMessage, emit } = Worker.prototype;
  Worker.prototype.postMessage = function (...parts) {
    point('statement');
    return postMessage.apply(this, parts);
  };
  Worker.prototype.emit = function (name, ...parts) {
    if (name === 'message') point('outcome');
    return emit.call(this, name, ...parts);
  };
}

function watchServer(point) {
  const { Client } = createRequire(`${process.cwd()}/package.json`)('pg');
  const { query } = Client.prototype;
  Client.prototype.query = function (...parts) {
    point('statement');
    const outcome = query.apply(this, parts);
    if (outcome instanceof Promise) outcome.then(() => point('outcome')).catch(() => {});
    return outcome;
  };
}
