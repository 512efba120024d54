import { labelOf } from '../../sandbox/slack/block-kit/controls.ts';
import type { Interaction } from '../../sandbox/slack/interactivity/interaction.ts';
import type { OpenView } from '../../sandbox/slack/page-protocol.ts';
import type { FieldAnswer } from '../../sandbox/slack/workspace/answers.ts';
import type { Hands, Spot } from '../../sandbox/slack/workspace/hands.ts';
import type { Workspace } from '../../sandbox/slack/workspace/workspace.ts';
import { asRead, wordsOf } from './reading.ts';

/** Where digests arrive. */
export const ONCALL = 'C0ONCALL';
/** Where people ask, unless they say otherwise. */
export const GENERAL = 'C0GENERAL';
/** The bot is not in this one. */
export const QUIET = 'C0QUIET';

/** A message as somebody sees it at a moment, or a modal. */
export interface Shown {
  readonly spot: Spot;
  /** All that can be read there, as `wordsOf` reads it. */
  readonly words: string;
}

export interface ShownMessage extends Shown {
  readonly spot: { readonly channel: string; readonly ts: string };
  /** The id of the only person who sees it; null where everybody does. */
  readonly onlyFor: string | null;
  readonly edited: boolean;
  /** What a screen reader and a notification say. */
  readonly spoken: string;
}

export interface ShownModal extends Shown {
  readonly spot: { readonly viewId: string };
}

/** Somebody at the keyboard. What they do is acknowledged, or the journey fails; what they wait for comes, or it fails too. */
export class Person {
  readonly id: string;
  readonly #hands: Hands;
  readonly #workspace: Workspace;
  /** What messages and modals said before this person's last act, by ts and id. */
  #before: ReadonlyMap<string, string> = new Map();

  constructor(id: string, workspace: Workspace) {
    this.id = id;
    this.#hands = workspace.as(id);
    this.#workspace = workspace;
  }

  /** Where the bot writes to this person alone. */
  get directMessages(): string {
    return `D${this.id.slice(1)}`;
  }

  /** Types a line in a channel. */
  async types(line: string, channel = GENERAL): Promise<void> {
    await this.#acts(`types ${line}`, () => this.#hands.types(channel, line));
  }

  /** Types a command and reads the answer that this person alone gets: the first that is not about waiting. */
  async asks(line: string, channel = GENERAL): Promise<ShownMessage> {
    await this.types(line, channel);
    return this.gets('', channel);
  }

  /** Waits for what comes or changes after this person's last act, for no other eyes, and says this. */
  gets(words: string, channel = GENERAL): Promise<ShownMessage> {
    const before = this.#before;
    const isAnswer = ({ spot, onlyFor, words: all }: ShownMessage) =>
      before.get(spot.ts) !== all && onlyFor === this.id && all.includes(words) && !all.includes('Still working');
    return this.#until(() => this.messages(channel).findLast(isAnswer), `an answer with "${words}"`);
  }

  /** Clicks a button, or an entry of a menu, by what it says; `near` where several say the same. */
  async clicks(label: string, on: Shown, near?: string): Promise<void> {
    const target = near === undefined ? { text: label } : { text: label, near };
    await this.#acts(`clicks ${label}`, () => this.#hands.clicks(on.spot, target));
  }

  /** Clicks a button and reads the modal that it opens, or that it changes, once that says these words. */
  async opens(label: string, on: Shown, words: string): Promise<ShownModal> {
    await this.clicks(label, on);
    return this.seesModal(words);
  }

  /** Chooses an entry of a select in a message, by what the entry says; `select` is its action id. */
  async picks(answer: string, select: string, on: Shown): Promise<void> {
    await this.#acts(`picks ${answer}`, () => this.#hands.picks(on.spot, { actionId: select }, answer));
  }

  async choosesShortcut(callbackId: string): Promise<void> {
    await this.#acts(`chooses ${callbackId}`, () => this.#hands.choosesShortcut(callbackId));
  }

  async choosesMessageShortcut(callbackId: string, on: ShownMessage): Promise<void> {
    const { channel, ts } = on.spot;
    await this.#acts(`chooses ${callbackId}`, () => this.#hands.choosesMessageShortcut(callbackId, channel, ts));
  }

  /** Waits for a message that says this, and gives the newest one that does. */
  sees(words: string, channel = GENERAL, withinMs = PATIENCE_MS): Promise<ShownMessage> {
    const look = () => this.messages(channel).findLast((shown) => shown.words.includes(words));
    return this.#until(look, `"${words}" in ${channel}`, withinMs);
  }

  /** What this person sees in a channel now, oldest first. */
  messages(channel = GENERAL): readonly ShownMessage[] {
    return this.#hands.sees(channel).map((message) => ({
      spot: { channel, ts: message.ts },
      words: wordsOf(message),
      onlyFor: message.onlyVisibleTo,
      edited: message.edited,
      spoken: asRead(message.text),
    }));
  }

  /** Waits for a modal that opens or changes after this person's last act, and says this. */
  seesModal(words: string): Promise<ShownModal> {
    const before = this.#before;
    const isAnswer = (modal: ShownModal) =>
      before.get(modal.spot.viewId) !== modal.words && modal.words.includes(words);
    return this.#until(
      () => [this.modal()].find((modal) => modal !== undefined && isAnswer(modal)),
      `a modal with "${words}"`,
    );
  }

  /** The modal on top, if any is open. */
  modal(): ShownModal | undefined {
    const view = this.#hands.view();
    return view === undefined ? undefined : shownModal(view);
  }

  /** Fills in fields of the modal on top, by a part of their labels. */
  async fillsIn(answers: Readonly<Record<string, FieldAnswer>>): Promise<void> {
    this.#remember();
    await this.#hands.fillsIn(this.#top(), answers);
  }

  /** What a select offers whose options come from the bot, as labels. */
  async isOffered(select: string, typed: string): Promise<readonly string[]> {
    const options = await this.#hands.typesInSelect(this.#top(), select, typed);
    return options.map(labelOf);
  }

  /** Submits the modal on top; what stands under its fields then, empty when it was taken. */
  async submits(): Promise<readonly string[]> {
    this.#remember();
    const told = await this.#hands.submits(this.#top());
    const errors = Object.values(told.errors);
    if (errors.length === 0) acknowledged(`${this.id} submits`, told);
    return errors;
  }

  async #acts(what: string, act: () => Promise<Interaction>): Promise<void> {
    this.#remember();
    acknowledged(`${this.id} ${what}`, await act());
  }

  #top(): string {
    const modal = this.modal();
    if (modal === undefined) throw new Error(`${this.id} has no modal open`);
    return modal.spot.viewId;
  }

  #channels(): readonly string[] {
    return [GENERAL, ONCALL, QUIET, this.directMessages];
  }

  #remember(): void {
    const messages = this.#channels().flatMap((channel) => this.messages(channel));
    const modals = this.#hands.views().map(shownModal);
    this.#before = new Map([
      ...messages.map(({ spot, words }) => [spot.ts, words] as const),
      ...modals.map(({ spot, words }) => [spot.viewId, words] as const),
    ]);
  }

  async #until<T>(look: () => T | undefined, what: string, timeoutMs = PATIENCE_MS): Promise<T> {
    try {
      return await this.#workspace.until(look, { what, timeoutMs });
    } catch (error) {
      throw new Error(`${this.id} ${String(error)}; there is: ${this.#everything()}`, { cause: error });
    }
  }

  #everything(): string {
    const messages = this.#channels().flatMap((channel) => this.messages(channel));
    return [...messages, ...[this.modal()].filter((modal) => modal !== undefined)]
      .map(({ spot, words }) => `\n--- ${JSON.stringify(spot)}\n${words}`)
      .join('');
  }
}

/** Longer than anything takes but the bot's own time-outs. */
const PATIENCE_MS = 20_000;

function acknowledged(what: string, told: Interaction): void {
  if (!told.ok) throw new Error(`${what}, and Slack says: ${told.error}: ${told.message}`);
}

function shownModal(view: OpenView): ShownModal {
  return { spot: { viewId: view.id }, words: wordsOf(view) };
}
