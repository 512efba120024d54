import { startForTopic } from '../notification-service/runs/start.ts';
import type { LocalService } from '../notification-service/server.ts';
import type { LocalSlack } from '../slack/server.ts';
import { actAs } from './act-as.ts';
import type { Fault } from './scenario.ts';

/** What the director can reach in the local production service and the local Slack. */
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
