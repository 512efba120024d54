import { wording } from '../wording.ts';
import { allow } from './conditions.ts';
import { runCustom } from './custom.ts';
import { deliver } from './deliver.ts';
import { become, note, type Run, type Turn, turnOf } from './run.ts';
import { throttle } from './throttle.ts';
import { collectDigest, waitForDelay } from './wait.ts';

/** Starts the job at this index. After the last job, the run is over. */
export function queueJob(run: Run, index: number, at: number): void {
  const turn = turnOf(run, index);
  if (!turn) return;
  become(turn, 'queued', at);
  note(turn, at, { detail: wording.stepQueued, status: 'Queued' });
  run.world.agenda.plan(at + run.world.random.between(150, 900), (later) => runJob(turn, later));
}

/** Continues with the next job. */
function queueNext({ run, index }: Turn, at: number): void {
  queueJob(run, index + 1, at);
}

/** Cancels the following jobs, which the service records as failures of their own. */
function cancelFollowers({ run, index }: Turn, at: number): void {
  for (let next = turnOf(run, index + 1); next; next = turnOf(run, next.index + 1)) {
    become(next, 'canceled', at);
    note(next, at, { detail: wording.canceledByPrevious, status: 'Failed' });
  }
}

function runJob(turn: Turn, at: number): void {
  const { world } = turn.run;
  become(turn, 'running', at);
  if (isExcluded(turn)) skip(turn, at);
  else if (turn.step.type === 'digest') collectDigest(turn, at, queueNext);
  else if (turn.step.type === 'delay') waitForDelay(turn, at, queueNext);
  else if (turn.step.type === 'throttle') throttle(turn, at, queueNext);
  else if (turn.step.type === 'custom') runCustom(turn, at, queueNext);
  else if (!world.random.chance(world.likelihood('stuck')))
    deliver(turn, at, { onward: queueNext, stop: cancelFollowers });
}

function isExcluded({ run: { world, event }, step: { filters } }: Turn): boolean {
  const { payload, subscriber } = event;
  if (filters.length > 0 && world.random.chance(world.likelihood('conditionFalse'))) return true;
  return !allow(filters, { payload, subscriber: { ...subscriber } });
}

function skip(turn: Turn, at: number): void {
  become(turn, 'skipped', at);
  const raw = JSON.stringify({ passed: false, conditions: turn.step.filters });
  note(turn, at, { detail: wording.skippedByConditions, status: 'Failed', raw });
  queueNext(turn, at);
}
