import { failed } from '../../sandbox/service/examples.ts';
import type { Fault as ServiceFault } from '../../sandbox/service/faults.ts';
import type { Random } from '../../sandbox/service/random.ts';
import type { LocalService } from '../../sandbox/service/server.ts';
import type { Behavior } from '../../sandbox/service/world.ts';
import type { Fault as SlackFault } from '../../sandbox/slack/faults.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';

/** A planted failure. `word` is unique to its cause's text. */
export interface Planted {
  word: string;
  channel: 'email' | 'sms';
}

/** An event whose step still runs and fails in a later life. */
export interface Pending extends Planted {
  eventId: string;
}

/** What is planted during one life of the bot. */
interface PlantedInLife {
  planted: Planted[];
  pending: Pending[];
}

type Lacking = Behavior['eventListLacks'];

const MOST_IN_A_LIFE = 4;

/** Plants some failures: new and known causes, fresh and late ones, and steps that fail later. */
export function plantFailures(service: LocalService, random: Random, known: readonly Planted[]): PlantedInLife {
  const planted: Planted[] = [];
  const pending: Pending[] = [];
  for (let left = random.between(0, MOST_IN_A_LIFE); left > 0; left--) {
    const failure = causeFor(random, known);
    if (random.chance(0.2)) pending.push({ ...failure, eventId: plantRunning(service, failure, random) });
    else {
      plantFailed(service, failure, random);
      planted.push(failure);
    }
  }
  return { planted, pending };
}

/** Fails the steps that are still running. */
export function failPending(service: LocalService, pending: readonly Pending[]): void {
  for (const { eventId, word } of pending) {
    service.world.updateJob(eventId, 0, { status: 'failed' });
    service.world.addLateDetail(eventId, 0, { detail: sentenceOf(word), status: 'Failed' });
  }
}

function plantFailed(service: LocalService, { channel, word }: Planted, random: Random): void {
  const subscriber = `user-${random.between(1, 50)}`;
  const detail = { detail: sentenceOf(word), raw: null };
  if (channel === 'email' && random.chance(0.2)) {
    // A bounce that came after its event was polled: only a pass over the past can find it.
    const createdAt = Date.now() - random.between(100, 119) * 1000;
    const event = service.world.plantEvent({ subscriber, createdAt, jobs: [{ type: 'email' }] });
    service.world.addLateDetail(event._id, 0, { ...detail, status: 'Failed', source: 'Webhook' });
  } else service.world.plantEvent(failed(channel, { subscriber }, detail));
}

function plantRunning(service: LocalService, { channel }: Planted, random: Random): string {
  const subscriber = `user-${random.between(1, 50)}`;
  return service.world.plantEvent({ subscriber, jobs: [{ type: channel, status: 'running' }] })._id;
}

/** Returns a known cause in half of all cases, and else a new one with a random word. */
function causeFor(random: Random, known: readonly Planted[]): Planted {
  const [first, ...others] = known;
  if (first !== undefined && random.chance(0.5)) return random.pick([first, ...others]);
  const word = Array.from({ length: 8 }, () => String.fromCharCode(97 + random.between(0, 25))).join('');
  return { word, channel: random.chance(0.7) ? 'email' : 'sms' };
}

export const sentenceOf = (word: string): string => `The provider refused it because of ${word}`;

/** Plans the faults outside the bot for its next life, and which behavior the service has where the contract leaves it open. */
export function planFaults(slack: LocalSlack, service: LocalService, random: Random): void {
  slack.faults.clear();
  service.faults.clear();
  if (random.chance(0.3)) slack.faults.next('chat.postMessage', random.pick(SLACK_FAULTS), random.between(1, 2));
  if (random.chance(0.2)) slack.faults.next('chat.update', random.pick(SLACK_FAULTS));
  if (random.chance(0.1)) slack.faults.next('conversations.history', { kind: 'http', status: 503 });
  if (random.chance(0.2))
    service.faults.set('listEvents', random.pick(SERVICE_FAULTS), { times: random.between(1, 3) });
  service.behave({
    after: random.pick(['inclusive', 'exclusive']),
    before: random.pick(['inclusive', 'exclusive']),
    order: random.pick(['newest first', 'oldest first']),
    ties: random.pick(['stable', 'shuffled']),
    eventListLacks: random.pick(LACKING),
  });
}

/**
 * Fields that the event list can lack. The workflow and the creation time are always there: without them, a failure would belong to another
 * incident, or to one that can't be distinguished from it. So are the jobs: a bot that polls each second may ask for those of three events a
 * poll, and finds the others later than the account waits for. The simulation plays lists without them.
 */
const LACKING: readonly [Lacking, ...Lacking[]] = [
  [],
  ['updatedAt', 'channels', 'tags', 'payload', 'controls', 'to', 'topics', 'severity', 'critical', 'contextKeys'],
];

const SLACK_FAULTS: readonly [SlackFault, ...SlackFault[]] = [
  { kind: 'reset', when: 'after' },
  { kind: 'reset', when: 'before' },
  { kind: 'hang', when: 'after' },
  { kind: 'http', status: 500 },
  { kind: 'rate-limited', retryAfterSeconds: 1 },
  { kind: 'error', error: 'internal_error' },
];

const SERVICE_FAULTS: readonly [ServiceFault, ...ServiceFault[]] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'hang' },
];
