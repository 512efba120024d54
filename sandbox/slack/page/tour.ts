import { isJson } from '../json.ts';
import type { Json, PageAct, PostedMessage, Snapshot } from '../page-protocol.ts';

type Stage =
  | { readonly does: RegExp }
  | { readonly sees: RegExp }
  | { readonly arrives: RegExp }
  | { readonly startsScenario: true };

export type Happening =
  /** An interaction that Slack accepted, and what the person saw at the time. */
  | { readonly kind: 'act'; readonly act: PageAct; readonly snapshot: Snapshot }
  /** What the person sees now. `openedAt`, in seconds, is when the page was opened. */
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly openedAt: number }
  | { readonly kind: 'scenario' };

/** A thing to try. It is done when its stages have happened in order. */
interface Thing {
  readonly id: string;
  readonly title: string;
  readonly how: string;
  readonly propose?: (snapshot: Snapshot) => string;
  readonly stages: readonly [Stage, ...Stage[]];
}

export const TOUR: readonly Thing[] = [
  {
    id: 'digest',
    title: 'See an alert arrive',
    how: 'Half a minute after the start SendGrid refuses every email: #oncall gets an alert by itself, once, and its counts update in place. Too late? Start a provider outage under Scenarios.',
    stages: [{ arrives: / (refuses|fails|bounces).*: / }],
  },
  {
    id: 'look-up',
    title: 'Look up an event that failed',
    how: 'Press Example below the alert: what happened, step by step, and what the provider said. Only you see it.',
    stages: [{ does: /^ann presses (Example|Look up)$/ }, { sees: /Send again.*View raw/s }],
  },
  {
    id: 'acknowledge',
    title: 'Acknowledge the incident',
    how: 'Press Acknowledge below the alert: everyone sees at once that you did.',
    stages: [{ does: /(presses|chooses) Acknowledge$/ }, { sees: /👀/ }],
  },
  {
    id: 'mute',
    title: 'Mute it',
    how: 'In the ⋯ menu beside it choose Mute…, and for how long. At its end you get what you missed.',
    stages: [{ does: /chooses Mute…$/ }, { does: /submits Mute/ }, { sees: /muted (by|until)/ }],
  },
  {
    id: 'trigger',
    title: 'Send a test',
    how: 'Subscriber user-1. Confirm that it is Production by its name, send, and follow it in the direct message with Notif.',
    propose: () => '/notif trigger order-shipped',
    stages: [{ does: /submits Send a test/ }, { sees: /Test of .* · done/ }],
  },
  {
    id: 'mention',
    title: 'Ask Notif in a conversation',
    how: 'Mention @Notif with a transaction id: it answers in the thread, for everybody.',
    propose: (snapshot) => `@Notif what happened to ${newestTransaction(snapshot) ?? 'txn_…'}?`,
    stages: [{ does: /says @Notif .*txn_/ }, { arrives: /Shared by/ }],
  },
  {
    id: 'home',
    title: 'Open its Home',
    how: 'Open Notif under Direct messages, then the tab Home: all that is open, in one place.',
    stages: [{ does: /opens home/ }, { sees: /^home: \S/m }],
  },
  {
    id: 'scenario',
    title: 'Make something else go wrong',
    how: 'Under Scenarios start a bounce storm, a service that is down, a Slack that refuses. See how Notif reports it.',
    stages: [{ startsScenario: true }],
  },
];

export type Progress = Readonly<Record<string, number>>;

/** Returns the progress after an event; the same object if nothing advanced. */
export function advance(progress: Progress, happening: Happening): Progress {
  const moved = TOUR.flatMap(({ id, stages }) => {
    const stage = stages[progress[id] ?? 0];
    return stage !== undefined && hasHappened(stage, happening) ? [[id, (progress[id] ?? 0) + 1] as const] : [];
  });
  return moved.length === 0 ? progress : { ...progress, ...Object.fromEntries(moved) };
}

export function isDone({ id, stages }: Thing, progress: Progress): boolean {
  return (progress[id] ?? 0) >= stages.length;
}

export function countDone(progress: Progress): number {
  return TOUR.filter((thing) => isDone(thing, progress)).length;
}

function hasHappened(stage: Stage, happening: Happening): boolean {
  switch (happening.kind) {
    case 'act':
      return 'does' in stage && stage.does.test(wordsOfAct(happening.act, happening.snapshot));
    case 'scenario':
      return 'startsScenario' in stage;
    case 'snapshot':
      if ('arrives' in stage) return stage.arrives.test(arrivedSince(happening.snapshot, happening.openedAt));
      return 'sees' in stage && stage.sees.test(wordsSeen(happening.snapshot));
  }
}

function wordsOfAct(act: PageAct, { me, views, home, conversations }: Snapshot): string {
  switch (act.do) {
    case 'command':
      return `${me.name} types ${act.text}`;
    case 'say':
      return `${me.name} says ${act.text}`;
    case 'open-tab':
      return `${me.name} opens ${act.tab}`;
    case 'submit-view':
      return `${me.name} submits ${labelsIn(views.find(({ id }) => id === act.viewId)?.view.title)[0]}`;
    case 'block-action': {
      const chosen = labelsIn(act.action.selected_option)[0];
      if (chosen !== undefined) return `${me.name} chooses ${chosen}`;
      const everything = [views, home, conversations.map(({ messages }) => messages)];
      const pressed = objectsIn(everything).filter((each) => each.action_id === act.actionId);
      return `${me.name} presses ${labelsIn(pressed.at(-1)?.text)[0]}`;
    }
    default:
      return `${me.name} does ${act.do}`;
  }
}

function wordsSeen({ conversations, views, home }: Snapshot): string {
  const messages = conversations.flatMap((conversation) => conversation.messages.map(wordsOfMessage));
  return [...messages, ...labelsIn(views), `home: ${labelsIn(home?.view).join(' ')}`].join('\n');
}

function arrivedSince({ conversations, people }: Snapshot, since: number): string {
  const bots = people.filter(({ isBot }) => isBot).map(({ id }) => id);
  const messages = conversations.flatMap((conversation) => conversation.messages);
  const fresh = messages.filter(({ author, ts }) => bots.includes(author) && Number(ts) >= since);
  return fresh.map(wordsOfMessage).join('\n');
}

function newestTransaction({ conversations }: Snapshot): string | undefined {
  const messages = conversations.flatMap((conversation) => conversation.messages);
  const newestFirst = messages.toSorted((a, b) => Number(b.ts) - Number(a.ts));
  return /\btxn_[0-9a-f]{24}\b/.exec(newestFirst.map(wordsOfMessage).join('\n'))?.[0];
}

function wordsOfMessage({ text, blocks, files }: PostedMessage): string {
  return [text, ...labelsIn(blocks), ...files.map(({ name }) => name)].join('\n');
}

function labelsIn(json: unknown): readonly string[] {
  return objectsIn(json).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

function objectsIn(json: unknown): readonly Json[] {
  if (Array.isArray(json)) return json.flatMap(objectsIn);
  return isJson(json) ? [json, ...Object.values(json).flatMap(objectsIn)] : [];
}
