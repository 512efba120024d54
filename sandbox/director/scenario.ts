import type { Integration, StepType } from '../notification-service/entities.ts';
import type { Fault as ServiceFault } from '../notification-service/faults.ts';
import type { ProviderFailure } from '../notification-service/provider-failures.ts';
import type { Random } from '../notification-service/random.ts';
import type { Accidents } from '../notification-service/world.ts';
import type { Fault as SlackFault } from '../slack/faults.ts';

/** One thing that is made to go wrong, or right, in the production service or in Slack. */
export type Fault =
  /** A provider refuses this share (0 to 1) of what is sent through it. */
  | {
      readonly kind: 'outage';
      readonly provider: string;
      readonly cause: ProviderFailure;
      readonly share: number;
      /** What is sent in another context goes out; null: nothing does. */
      readonly contextKey: string | null;
    }
  /** The environment's integrations of a provider are changed so. */
  | {
      readonly kind: 'integration changed';
      readonly provider: string;
      readonly change: Readonly<Partial<Integration>>;
    }
  /** How likely everyday accidents are; those that are not named stay as they are. */
  | { readonly kind: 'accidents'; readonly accidents: Partial<Accidents> }
  /** This share (0 to 1) of emails comes back later, for this reason. */
  | { readonly kind: 'bounce storm'; readonly share: number; readonly reason: string }
  /** The content of a workflow's steps of this type cannot be generated. */
  | { readonly kind: 'broken template'; readonly workflow: string; readonly step: StepType; readonly raw: string }
  /** One trigger to a topic that this many people are subscribed to. */
  | { readonly kind: 'fan-out'; readonly workflow: string; readonly topic: string; readonly people: number }
  /** Every request to the service meets this fault. */
  | { readonly kind: 'service fault'; readonly fault: ServiceFault }
  /** Nothing listens where the service was. */
  | { readonly kind: 'service gone' }
  /** The next `times` calls of a Web API method meet this fault; without `times`, every one until it is over. */
  | { readonly kind: 'slack fault'; readonly method: string; readonly fault: SlackFault; readonly times?: number }
  /** Every Socket Mode connection is cut, without a goodbye. */
  | { readonly kind: 'sockets cut' }
  /** Every Socket Mode connection is asked to be opened again. */
  | { readonly kind: 'sockets refreshed' }
  /** Somebody does this in Slack, one after the other. What cannot be done by then, such as a click on a message that never came, is reported and left out. */
  | { readonly kind: 'person'; readonly person: string; readonly does: readonly PersonsAct[] }
  /** Nothing: time in which one sees how it recovers. */
  | { readonly kind: 'none' };

/** What a person does in Slack. `message` is what the newest message that is meant says. */
export type PersonsAct =
  | { readonly do: 'types'; readonly channel: string; readonly line: string }
  | { readonly do: 'clicks'; readonly channel: string; readonly message: string; readonly label: string }
  /** Fills in the modal that is open, by its labels, and submits it. */
  | { readonly do: 'submits'; readonly answers: Readonly<Record<string, string>> };

/** A disturbance and when it lasts, in milliseconds of the scenario's own time; one that is over at once has the same `to`. */
export interface FaultWindow {
  readonly from: number;
  readonly to: number;
  /** What happens, as the page says it: 'SendGrid refuses every email'. */
  readonly what: string;
  readonly fault: Fault;
}

export interface Scenario {
  /** As it is named in an address and on the command line. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What a person should see in Slack, from the start to the recovery. */
  readonly lookFor: string;
  /** Milliseconds of its own time, which is that of the clock at speed 1. */
  readonly lastsMs: number;
  /** Whether what else is playing stops when it begins. */
  readonly alone: boolean;
  /** What happens when: the same for the same random numbers. No fault window ends after `lastsMs`. */
  readonly plan: (random: Random) => readonly FaultWindow[];
}

export const SECOND = 1_000;
export const MINUTE = 60_000;
