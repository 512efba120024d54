import { startForTopic } from '../notification-service/runs/steps.ts';
import type { LocalService } from '../notification-service/server.ts';
import type { LocalSlack } from '../slack/server.ts';
import type { Hands } from '../slack/workspace/hands.ts';
import { wordsOf } from '../slack/workspace/snapshot.ts';
import type { Workspace } from '../slack/workspace/workspace.ts';
import type { Fault, PersonsAct } from './scenario.ts';

type Acts = Extract<Fault, { kind: 'person' }>;

/** Performs a person's acts in Slack, one after another. Never rejects: a failing act is reported and ends the series. */
async function actAs({ person, does }: Acts, workspace: Workspace): Promise<void> {
  const hands = workspace.as(person);
  try {
    for (const act of does) await perform(act, hands, workspace);
  } catch (error) {
    console.error(`${person} could not do what the scenario says.`, error);
  }
}

async function perform(act: PersonsAct, hands: Hands, workspace: Workspace): Promise<void> {
  switch (act.do) {
    case 'types':
      await hands.types(act.channel, act.line);
      return;
    case 'clicks': {
      const spoken = hands.sees(act.channel).findLast((message) => wordsOf(message).includes(act.message));
      if (spoken === undefined) throw new Error(`no message says "${act.message}"`);
      await hands.clicks({ channel: act.channel, ts: spoken.ts }, { text: act.label });
      return;
    }
    case 'submits': {
      const { id } = await workspace.until(() => hands.view(), { what: 'an open modal' });
      await hands.fillsIn(id, act.answers);
      await hands.submits(id);
    }
  }
}

export interface Stage {
  readonly service: Pick<LocalService, 'world' | 'faults' | 'goAway' | 'comeBack'>;
  readonly slack: Pick<LocalSlack, 'faults' | 'workspace'>;
}

/** Ends a fault. Does nothing for a momentary one. */
export type End = () => void | Promise<void>;

/** Injects a fault and returns a function that ends it without ending others of its kind. */
export function injectFault(fault: Fault, { service, slack }: Stage): End {
  const { world, faults } = service;
  switch (fault.kind) {
    case 'outage':
      return world.startOutage(fault);
    case 'integration changed':
      return world.changeIntegration(fault.provider, fault.change);
    case 'accidents':
      return world.changeAccidents(fault.accidents);
    case 'bounce storm':
      return world.startBounceStorm(fault);
    case 'broken template':
      return world.breakTemplate(fault);
    case 'fan-out':
      return reachEverybody(fault, service);
    case 'service fault':
      return faults.set('all', fault.fault);
    case 'service gone':
      return leave(service);
    case 'slack fault':
      return slack.faults.next(fault.method, fault.fault, fault.times ?? Number.POSITIVE_INFINITY);
    case 'newer blocks refused':
      return slack.faults.refuseNewerBlocks();
    case 'sockets cut':
      slack.faults.dropSockets();
      return over;
    case 'sockets refreshed':
      slack.faults.refreshSockets();
      return over;
    case 'person': {
      const done = actAs(fault, slack.workspace);
      return () => done;
    }
    case 'none':
      return over;
  }
}

function over(): void {}

function leave(service: Stage['service']): End {
  const gone = service.goAway();
  return async () => {
    await gone;
    await service.comeBack();
  };
}

type FanOut = Extract<Fault, { kind: 'fan-out' }>;

/** Sends one trigger to everybody in the topic. Throws if the world doesn't have the workflow. */
function reachEverybody({ workflow: identifier, topic, people }: FanOut, { world }: Stage['service']): End {
  const workflow = world.workflows.get(identifier);
  if (!workflow) throw new Error(`The local service has no workflow ${identifier}`);
  world.plantCrowd(topic, people);
  startForTopic(world, workflow, topic, { product: 'Notif' });
  return over;
}
