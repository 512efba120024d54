import { labelOf, textsIn } from '../block-kit/controls.ts';
import type { PageAct, Snapshot } from '../page-protocol.ts';
import { rawTextsOf } from '../workspace/snapshot.ts';

/** A person's act, worded by `wordsOfAct`; or all texts that they see now, and those that the bot posted since the page was opened. */
export type Happening = { did: string } | { sees: string; arrived: string };

/** A thing to try. It is done once an act fits `does` and then a text fits `sees`; without `does`, once a text that arrives fits `sees`. */
interface Thing {
  id: string;
  title: string;
  how: string;
  propose?: (snapshot: Snapshot) => string;
  does?: RegExp;
  sees?: RegExp;
}

/** The number of an incident that isn't about the service. */
const WITH_FAILURES = /\d of \d[^\n]*#\d+/;

export const TOUR: readonly Thing[] = [
  {
    id: 'digest',
    title: 'See an alert arrive',
    how: 'Half a minute after the start SendGrid refuses every email: #oncall gets an alert by itself, once, and its counts update in place. Too late? Start a provider outage under Scenarios.',
    sees: / (refuses|fails|bounces).*: /,
  },
  {
    id: 'look-up',
    title: 'Look up an event that failed',
    how: 'Press Example below the alert: what happened, step by step, and what the provider said. Only you see it.',
    does: /presses (Example|Look up)$/,
    sees: /Send again.*View raw/s,
  },
  {
    id: 'acknowledge',
    title: 'Acknowledge the incident',
    how: 'Press Acknowledge below the alert: everyone sees at once that you did. The ⋯ menu beside it mutes, assigns and more.',
    does: /(presses|chooses) Acknowledge$/,
    sees: /👀/,
  },
  {
    id: 'trigger',
    title: 'Send a test',
    how: 'Subscriber user-1. Confirm that it is Production by its name, send, and follow it in the direct message with Notif.',
    propose: () => '/notif trigger order-shipped',
    does: /submits Send a test/,
    sees: /Test of .* · done/,
  },
  {
    id: 'resend',
    title: 'Send again what it broke',
    how: 'Once the provider is back (the row says “recovering”, then “resolved”): preview what it left unsent, confirm Production by its name, send, and follow the counts in the thread.',
    propose: (snapshot) => `/notif resend ${/#\d+/.exec(newest(snapshot, WITH_FAILURES) ?? '')?.[0] ?? '#1'}`,
    does: /submits Send again/,
    sees: /Sent again.* broke/,
  },
  {
    id: 'mention',
    title: 'Ask Notif in a conversation',
    how: 'Mention @Notif with a transaction ID: it answers in the thread, for everybody.',
    propose: (snapshot) => `@Notif what happened to ${newest(snapshot, /\btxn_[0-9a-f]{24}\b/) ?? 'txn_…'}?`,
    does: /says @Notif .*txn_/,
    sees: /Shared by/,
  },
  {
    id: 'home',
    title: 'Open its Home',
    how: 'Open Notif under Direct messages, then the tab Home: all that is open, in one place.',
    does: /opens home/,
    sees: /^home: \S/m,
  },
  {
    id: 'scenario',
    title: 'Make something else go wrong',
    how: 'Under Scenarios start a bounce storm, a service that is down, a Slack that refuses. See how Notif reports it.',
    does: /^starts a scenario$/,
  },
];

/** What has become of each thing: the person did it, or its result was seen, too. */
export type Progress = Readonly<Record<string, 'did' | 'done'>>;

/** Returns the progress after a happening; the same object if nothing advanced. */
export function advance(progress: Progress, happening: Happening): Progress {
  const moved = TOUR.flatMap(({ id, does, sees }): [string, 'did' | 'done'][] => {
    if (progress[id] === 'done') return [];
    if ('did' in happening) {
      const isFirst = progress[id] === undefined && does?.test(happening.did);
      return isFirst ? [[id, sees ? 'did' : 'done']] : [];
    }
    const isAwaited = does === undefined || progress[id] === 'did';
    const words = does === undefined ? happening.arrived : happening.sees;
    return isAwaited && sees?.test(words) ? [[id, 'done']] : [];
  });
  return moved.length === 0 ? progress : { ...progress, ...Object.fromEntries(moved) };
}

export const countDone = (progress: Progress): number => TOUR.filter(({ id }) => progress[id] === 'done').length;

/** 'ann presses Look up', 'ben types /notif status', 'ann submits Mute'. */
export function wordsOfAct(act: PageAct, { me, views }: Snapshot): string {
  switch (act.do) {
    case 'say':
      return `${me.name} says ${act.text}`;
    case 'open-tab':
      return `${me.name} opens ${act.tab}`;
    case 'submit-view':
      return `${me.name} submits ${textsIn(views.find(({ id }) => id === act.viewId)?.view.title)[0]}`;
    case 'block-action': {
      const chosen = labelOf(act.action.selected_option);
      return `${me.name} ${chosen ? `chooses ${chosen}` : `presses ${labelOf(act.action)}`}`;
    }
    default:
      return act.do;
  }
}

export function wordsSeen({ people, conversations, views, home }: Snapshot, openedAt: number): Happening {
  const messages = conversations.flatMap((conversation) => conversation.messages);
  const bot = people.find(({ isBot }) => isBot)?.id;
  const fresh = messages.filter(({ author, ts }) => author === bot && Number(ts) > openedAt);
  const texts = [...messages.map(rawTextsOf), ...textsIn(views), `home: ${textsIn(home?.view).join(' ')}`];
  return { sees: texts.join('\n'), arrived: fresh.map(rawTextsOf).join('\n') };
}

function newest({ conversations }: Snapshot, what: RegExp): string | undefined {
  const messages = conversations.flatMap((conversation) => conversation.messages);
  const newestFirst = messages.toSorted((a, b) => Number(b.ts) - Number(a.ts));
  return what.exec(newestFirst.map(rawTextsOf).join('\n'))?.[0];
}
