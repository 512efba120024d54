import type { Snapshot } from '../../page-protocol.ts';
import { type Happening, newestTransaction, type Stage, stageHappened } from './happenings.ts';

/** A thing to try. It is done when its stages have happened in order. */
export interface Thing {
  readonly id: string;
  readonly title: string;
  readonly how: string;
  /** The text to put into the composer, and its conversation. */
  readonly propose?: (snapshot: Snapshot) => { readonly text: string; readonly in: string };
  readonly stages: readonly [Stage, ...Stage[]];
}

const inOncall = (text: string) => () => ({ text, in: 'oncall' });

/** What Notif is for, in the order of a day on call. */
export const STORY: readonly Thing[] = [
  {
    id: 'digest',
    title: 'See a digest arrive',
    how: 'Half a minute after the start SendGrid refuses every email: #oncall gets an alert by itself, once, and its counts update in place. Too late? Start a provider outage under Director, with another seed.',
    stages: [{ arrives: / (refuses|fails|bounces).*: / }],
  },
  {
    id: 'look-up',
    title: 'Look up an event that failed',
    how: 'Press Example below a failure: what happened, step by step, and what the provider said. Only you see it.',
    stages: [{ does: /^ann presses (Example|Look up)$/ }, { sees: /Send again.*View raw/s }],
  },
  {
    id: 'failures',
    title: 'List what fails, page by page',
    how: 'Send the command, then press Next causes or Earlier below the answer.',
    propose: inOncall('/notif failures since:2h'),
    stages: [
      { does: /types \/notif failures/ },
      { sees: /failures? from \d+ causes?|No failures/ },
      { does: /presses (Next causes|Earlier|Load more)$/ },
    ],
  },
  {
    id: 'chart',
    title: 'Look at it instead of reading',
    how: 'In the ⋯ menu of an alert choose View events, then press Chart, or send the command: the failures over time, with what was done and changed below.',
    propose: inOncall('/notif chart'),
    stages: [{ does: /presses Chart$|types \/notif chart/ }, { sees: /By (?:provider|cause|workflow):/ }],
  },
  {
    id: 'changes',
    title: 'See what was changed just before',
    how: 'Start An integration is changed, then it fails under Director: the row names the change. Send the command: it lists what was changed. /notif deployed checkout 2.3 adds a deploy.',
    propose: inOncall('/notif changes'),
    stages: [{ does: /types \/notif changes/ }, { sees: /integrations (compared since|not read yet)/ }],
  },
  {
    id: 'acknowledge',
    title: 'Acknowledge an incident',
    how: 'Press Acknowledge below the alert: everyone sees at once that you did.',
    stages: [{ does: /(presses|chooses) Acknowledge$/ }, { sees: /👀/ }],
  },
  {
    id: 'mute',
    title: 'Mute an incident',
    how: 'In the ⋯ menu beside it choose Mute…, and for how long. At its end you get what you missed.',
    stages: [{ does: /chooses Mute…$/ }, { does: /submits Mute/ }, { sees: /muted (by|until)/ }],
  },
  {
    id: 'by-command',
    title: 'Act by command, and read the thread',
    how: 'Choose Assign… in the same menu, or type /notif ack, /notif mute or /notif resolve with the number at the end of a row. The thread of the alert says who did what, and when it was resolved.',
    propose: inOncall('/notif ack #1'),
    stages: [{ does: /types \/notif (ack|mute|resolve) / }, { sees: /(Acknowledged|Resolved) #\d|[Mm]uted/ }],
  },
  {
    id: 'note',
    title: 'Leave a note for the next time',
    how: 'In the same menu choose Add a note…, and say what it was. Start the scenario Relapse under Director: when the cause comes back, its row shows the note. After a day it says when the last time was, too.',
    stages: [{ does: /chooses Add a note…$|types \/notif note / }, { sees: /Note added/ }],
  },
  {
    id: 'affected',
    title: 'See who was affected, as a file',
    how: 'Choose View events in the ⋯ menu, then press View affected and Download CSV: the file comes to you alone, in the direct message with Notif.',
    stages: [{ does: /presses View affected$/ }, { does: /presses Download CSV$/ }, { sees: /\.csv/ }],
  },
  {
    id: 'trigger',
    title: 'Send a test',
    how: 'Subscriber user-1. Break the payload first, with a { too many: the form says what is wrong and sends nothing. Fix it, confirm that it is Production by its name, send, and follow it in the direct message with Notif.',
    propose: inOncall('/notif trigger order-shipped'),
    stages: [
      { does: /opens Send a test|types \/notif trigger/ },
      { fieldError: true },
      { does: /submits Send a test/ },
      { sees: /Test of .* · done/ },
    ],
  },
  {
    id: 'watch',
    title: 'Watch from another channel, then stop',
    how: 'In #general, create a watch for email failures: it says what it would have posted, and Show them lists it. Then remove it with /notif unwatch.',
    propose: () => ({ text: '/notif watch channel:email', in: 'general' }),
    stages: [
      { does: /types \/notif watch / },
      { sees: /created a watch here/ },
      { does: /types \/notif unwatch|presses Remove$/ },
      { sees: /removed a watch/ },
    ],
  },
  {
    id: 'mention',
    title: 'Ask Notif in a conversation',
    how: 'Mention @Notif with a transaction id: it answers in the thread, for everybody.',
    propose: (snapshot) => ({
      text: `@Notif what happened to ${newestTransaction(snapshot) ?? 'txn_…'}?`,
      in: 'oncall',
    }),
    stages: [{ does: /says @Notif .*txn_/ }, { arrives: /Shared by/ }],
  },
  {
    id: 'home',
    title: 'Open its Home',
    how: 'Open Notif under Direct messages, then the tab Home: all that is open, in one place, refreshed each minute for ten minutes after you open it or click.',
    stages: [{ does: /opens home/ }, { sees: /^home: \S/m }],
  },
  {
    id: 'handover',
    title: 'Hand over to the next on call',
    how: 'Send the command: what is open and who has it, what nobody has first. Press Share.',
    propose: inOncall('/notif handover'),
    stages: [{ does: /types \/notif handover/ }, { sees: /Handover/ }, { does: /presses Share$/ }],
  },
  {
    id: 'ben',
    title: 'Try it without permission',
    how: "Act as ben (top left), who isn't an operator, and try to send a test: Notif says whom to ask.",
    propose: inOncall('/notif trigger order-shipped'),
    stages: [{ does: /^ben / }, { sees: /Only operators can do this/ }],
  },
  {
    id: 'status',
    title: "Check Notif's own health",
    how: '/notif status says how far each environment has been checked; /notif doctor checks the setup.',
    propose: inOncall('/notif status'),
    stages: [
      { does: /types \/notif (status|doctor)/ },
      { sees: /up to date|✅ \d+ fine/ },
      { does: /types \/notif (status|doctor)/ },
    ],
  },
  {
    id: 'scenario',
    title: 'Make something else go wrong',
    how: 'Under Director start a scenario: a bounce storm, a service that is down, a Slack that refuses. See how Notif reports it.',
    stages: [{ startsScenario: true }],
  },
];

export type Progress = Readonly<Record<string, number>>;

/** Returns the progress after an event; the same object if nothing advanced. */
export function advance(progress: Progress, happening: Happening): Progress {
  const moved = STORY.flatMap(({ id, stages }) => {
    const stage = stages[progress[id] ?? 0];
    return stage !== undefined && stageHappened(stage, happening) ? [[id, (progress[id] ?? 0) + 1] as const] : [];
  });
  return moved.length === 0 ? progress : { ...progress, ...Object.fromEntries(moved) };
}

export function isDone({ id, stages }: Thing, progress: Progress): boolean {
  return (progress[id] ?? 0) >= stages.length;
}

export function countDone(progress: Progress): number {
  return STORY.filter((thing) => isDone(thing, progress)).length;
}
