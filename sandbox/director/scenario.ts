import type { Integration, StepType } from '../notification-service/entities.ts';
import type { Fault as ServiceFault } from '../notification-service/faults.ts';
import type { ProviderFailure } from '../notification-service/provider-failures.ts';
import type { Random } from '../notification-service/random.ts';
import type { Accidents } from '../notification-service/world.ts';
import type { Fault as SlackFault } from '../slack/faults.ts';

/** One thing that the director makes go wrong, or right, in the production service or in Slack. */
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
  | {
      readonly kind: 'integration changed';
      readonly provider: string;
      readonly change: Readonly<Partial<Integration>>;
    }
  /** Sets the probability of everyday accidents. Omitted ones stay unchanged. */
  | { readonly kind: 'accidents'; readonly accidents: Partial<Accidents> }
  /** This share (0 to 1) of emails bounces later, for this reason. */
  | { readonly kind: 'bounce storm'; readonly share: number; readonly reason: string }
  /** The content of a workflow's steps of this type can't be generated. */
  | { readonly kind: 'broken template'; readonly workflow: string; readonly step: StepType; readonly raw: string }
  | { readonly kind: 'fan-out'; readonly workflow: string; readonly topic: string; readonly people: number }
  | { readonly kind: 'service fault'; readonly fault: ServiceFault }
  | { readonly kind: 'service gone' }
  /** The next `times` calls of a Web API method get this fault; without `times`, all calls until the window ends. */
  | { readonly kind: 'slack fault'; readonly method: string; readonly fault: SlackFault; readonly times?: number }
  /** Slack refuses data tables, charts, containers and alerts, as in a workspace that doesn't have them yet. */
  | { readonly kind: 'newer blocks refused' }
  | { readonly kind: 'sockets cut' }
  | { readonly kind: 'sockets refreshed' }
  /**
   * A person does this in Slack, one act after another. An act that is impossible by then, such as a click on a message that never came, is
   * reported and skipped.
   */
  | { readonly kind: 'person'; readonly person: string; readonly does: readonly PersonsAct[] }
  /** No fault: time in which recovery can be seen. */
  | { readonly kind: 'none' };

/** An act of a person in Slack. `message` is text in the newest message that is meant. */
export type PersonsAct =
  | { readonly do: 'types'; readonly channel: string; readonly line: string }
  | { readonly do: 'clicks'; readonly channel: string; readonly message: string; readonly label: string }
  /** Fills in the open modal by its labels and submits it. */
  | { readonly do: 'submits'; readonly answers: Readonly<Record<string, string>> };

/** A fault and its time, in milliseconds of scenario time. A momentary one has the same `from` and `to`. */
export interface FaultWindow {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly fault: Fault;
}

export interface Scenario {
  /** The name in URLs and on the command line. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the user should see in Slack, from the start to the recovery. */
  readonly lookFor: string;
  /** Milliseconds of scenario time, which is real time at speed 1. */
  readonly lastsMs: number;
  /** Whether other scenarios stop when it begins. */
  readonly alone: boolean;
  /** Returns what happens when; the same random numbers give the same plan. No fault window ends after `lastsMs`. */
  readonly plan: (random: Random) => readonly FaultWindow[];
}

export const SECOND = 1_000;
export const MINUTE = 60_000;
