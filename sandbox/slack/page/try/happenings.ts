import type { Json, PageAct, PostedMessage, Snapshot, Surface } from '../../page-protocol.ts';

/** Describes an interaction: 'ann presses Look up', 'ben types /notif status', 'ann submits Mute'. */
function wordsOfAct(act: PageAct, snapshot: Snapshot): string {
  const who = snapshot.me.name;
  switch (act.do) {
    case 'command':
      return `${who} types ${act.text}`;
    case 'say':
      return `${who} says ${act.text}`;
    case 'open-tab':
      return `${who} opens ${act.tab}`;
    case 'block-action':
      return `${who} ${wordsOfAction(act, snapshot)}`;
    case 'submit-view':
      return `${who} submits ${titleOf(act.viewId, snapshot)}`;
    default:
      return `${who} does ${act.do}`;
  }
}

function wordsOfAction({ surface, actionId, action }: Extract<PageAct, { do: 'block-action' }>, snapshot: Snapshot) {
  const chosen = labelsIn(action.selected_option)[0];
  if (chosen !== undefined) return `chooses ${chosen}`;
  const element = objectsIn(blocksAt(surface, snapshot)).find((each) => each.action_id === actionId);
  return `presses ${labelsIn(element?.text)[0] ?? actionId}`;
}

function titleOf(viewId: string, { views }: Snapshot): string {
  return labelsIn(views.find(({ id }) => id === viewId)?.view.title)[0] ?? 'a form';
}

function blocksAt(surface: Surface, { conversations, views, home }: Snapshot): unknown {
  if (surface.in === 'view') return [...views, home].find((view) => view?.id === surface.viewId)?.view;
  return conversations.find(({ id }) => id === surface.channel)?.messages.find(({ ts }) => ts === surface.ts)?.blocks;
}

/** Returns everything that the person sees: messages with their files, open forms, and the Home tab after 'home: '. */
function wordsSeen({ conversations, views, home }: Snapshot): string {
  const messages = conversations.flatMap((conversation) => conversation.messages.map(wordsOfMessage));
  const forms = views.flatMap(({ view }) => labelsIn(view));
  return [...messages, ...forms, `home: ${labelsIn(home?.view).join(' ')}`].join('\n');
}

/** Returns what the bot has posted for everybody or this person since a time; `since` in seconds. */
function messagesSince({ conversations, people }: Snapshot, since: number): string {
  const bots = new Set(people.filter(({ isBot }) => isBot).map(({ id }) => id));
  const messages = conversations.flatMap((conversation) => conversation.messages);
  const fresh = messages.filter(({ author, ts }) => bots.has(author) && Number(ts) >= since);
  return fresh.map(wordsOfMessage).join('\n');
}

/** Returns the transaction ID in the newest message that has one. */
export function newestTransaction({ conversations }: Snapshot): string | undefined {
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

/** Returns every object in it, including itself, outer ones first. */
function objectsIn(json: unknown): readonly Json[] {
  if (Array.isArray(json)) return json.flatMap(objectsIn);
  if (!isObject(json)) return [];
  return [json, ...Object.values(json).flatMap(objectsIn)];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type Stage =
  /** A person's act, as worded by `wordsOfAct`. */
  | { readonly does: RegExp }
  /** Text that the person can see anywhere. */
  | { readonly sees: RegExp }
  /** Text of a bot's message that was posted after the page was opened. */
  | { readonly arrives: RegExp }
  /** An error at a form's field. */
  | { readonly fieldError: true }
  | { readonly startsScenario: true };

export type Happening =
  /** An interaction that Slack accepted, and what the person saw at the time. */
  | { readonly kind: 'act'; readonly act: PageAct; readonly snapshot: Snapshot }
  /** What the person sees now. `openedAt`, in seconds, is when the page was opened. */
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly openedAt: number }
  | { readonly kind: 'scenario' };

export function stageHappened(stage: Stage, happening: Happening): boolean {
  switch (happening.kind) {
    case 'act':
      return 'does' in stage && stage.does.test(wordsOfAct(happening.act, happening.snapshot));
    case 'scenario':
      return 'startsScenario' in stage;
    case 'snapshot':
      return isInSight(stage, happening.snapshot, happening.openedAt);
  }
}

function isInSight(stage: Stage, snapshot: Snapshot, openedAt: number): boolean {
  if ('sees' in stage) return stage.sees.test(wordsSeen(snapshot));
  if ('arrives' in stage) return stage.arrives.test(messagesSince(snapshot, openedAt));
  if ('fieldError' in stage) return snapshot.views.some(({ errors }) => Object.keys(errors).length > 0);
  return false;
}
