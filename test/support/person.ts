import { labelOf } from '../../sandbox/slack/block-kit/controls.ts';
import type { Outcome } from '../../sandbox/slack/interactivity/interaction.ts';
import type { FieldAnswer } from '../../sandbox/slack/workspace/finding.ts';
import type { Hands } from '../../sandbox/slack/workspace/hands.ts';
import type { Workspace } from '../../sandbox/slack/workspace/workspace.ts';
import { type ReadFile, type Shown, type ShownMessage, type ShownModal, shownMessage, shownModal } from './shown.ts';

export type { ReadFile, Shown, ShownMessage, ShownModal } from './shown.ts';

/** The channel with digests. */
export const ONCALL = 'C0ONCALL';
/** The channel in which people type by default. */
export const GENERAL = 'C0GENERAL';

/** A user of Slack in a test. An action fails the test unless the bot acknowledges it, and so does something awaited that doesn't come. */
export class Person {
  readonly id: string;
  readonly #hands: Hands;
  readonly #workspace: Workspace;
  /** The contents of messages and modals before this person's last action, by ts and ID. */
  #before: ReadonlyMap<string, string> = new Map();

  constructor(id: string, workspace: Workspace) {
    this.id = id;
    this.#hands = workspace.as(id);
    this.#workspace = workspace;
  }

  get directMessages(): string {
    return `D${this.id.slice(1)}`;
  }

  async types(line: string, channel = GENERAL): Promise<void> {
    await this.#acts(`types ${line}`, () => this.#hands.types(channel, line));
  }

  /** Writes a message. '@Notif' and other names become mentions. */
  async says(
    text: string,
    { channel = GENERAL, ...thread }: { readonly channel?: string; readonly threadTs?: string } = {},
  ): Promise<void> {
    await this.#acts(`says ${text}`, () => this.#hands.says(channel, text, thread));
  }

  async edits({ spot: { channel, ts } }: ShownMessage, text: string): Promise<void> {
    await this.#acts(`edits to ${text}`, () => this.#hands.edits(channel, ts, text));
  }

  async opensHome(): Promise<void> {
    await this.#acts('opens the Home tab', () => this.#hands.opensHome());
  }

  seesHome(words: string): Promise<Shown> {
    return this.#until(() => [this.home()].find((home) => home?.words.includes(words)), `a Home tab with "${words}"`);
  }

  home(): ShownModal | undefined {
    const home = this.#hands.home();
    return home === undefined ? undefined : shownModal(home);
  }

  /** Types a command and returns the first answer that only this person gets and that isn't about waiting. */
  async asks(line: string, channel = GENERAL): Promise<ShownMessage> {
    await this.types(line, channel);
    return this.gets('', channel);
  }

  /** Looks an event or a transaction up, and returns the answer with these words. */
  async looksUp(id: string, words: string): Promise<ShownMessage> {
    await this.types(`/notif event ${id}`);
    return this.gets(words);
  }

  /** Waits for a message with these words, visible only to this person, that is new or changed after their last action. */
  gets(words: string, channel = GENERAL): Promise<ShownMessage> {
    const before = this.#before;
    const isAnswer = ({ spot, onlyFor, words: all }: ShownMessage) =>
      before.get(spot.ts) !== all && onlyFor === this.id && all.includes(words) && !ABOUT_WAITING.test(all);
    return this.#until(() => this.messages(channel).findLast(isAnswer), `an answer with "${words}"`);
  }

  /** Clicks a button or a menu entry by its label. `near` selects among several with the same label. */
  async clicks(label: string, on: Shown, near?: string): Promise<void> {
    const target = near === undefined ? { text: label } : { text: label, near };
    await this.#acts(`clicks ${label}`, () => this.#hands.clicks(on.spot, target));
  }

  async opens(label: string, on: Shown, words: string): Promise<ShownModal> {
    await this.clicks(label, on);
    return this.seesModal(words);
  }

  /** Chooses an entry of a select in a message by its label; `select` is the action ID. */
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

  sees(words: string, channel = GENERAL, withinMs = STILL_WORKING_AFTER_MS): Promise<ShownMessage> {
    const look = () => this.messages(channel).findLast((shown) => shown.words.includes(words));
    return this.#until(look, `"${words}" in ${channel}`, withinMs);
  }

  isMentioned(words: string, channel = ONCALL): Promise<ShownMessage> {
    const look = () => this.mentions(channel).findLast((shown) => shown.words.includes(words));
    return this.#until(look, `a mention with "${words}" in ${channel}`);
  }

  /** Returns a channel's messages that have mentioned this person so far, oldest first. */
  mentions(channel = ONCALL): readonly ShownMessage[] {
    return this.messages(channel).filter(({ mentionsMe }) => mentionsMe);
  }

  async opensFile(name: string, channel = this.directMessages): Promise<ReadFile> {
    const look = () =>
      this.messages(channel)
        .flatMap(({ files }) => files)
        .findLast((file) => file.name === name);
    const file = await this.#until(look, `the file ${name} in ${channel}`);
    return { ...file, text: this.#hands.reads(file.id) };
  }

  messages(channel = GENERAL): readonly ShownMessage[] {
    return this.#hands.sees(channel).map((message) => shownMessage(message, channel));
  }

  /** Waits for a modal with these words that opens or changes after this person's last action. */
  seesModal(words: string): Promise<ShownModal> {
    const before = this.#before;
    const isAnswer = (modal: ShownModal) =>
      before.get(modal.spot.viewId) !== modal.words && modal.words.includes(words);
    return this.#until(
      () => [this.modal()].find((modal) => modal !== undefined && isAnswer(modal)),
      `a modal with "${words}"`,
    );
  }

  modal(): ShownModal | undefined {
    const view = this.#hands.view();
    return view === undefined ? undefined : shownModal(view);
  }

  async fillsIn(answers: Readonly<Record<string, FieldAnswer>>): Promise<void> {
    this.#remember();
    await this.#hands.fillsIn(this.#top(), answers);
  }

  /** Returns the labels that a select with the bot's options offers. */
  async isOffered(select: string, typed: string): Promise<readonly string[]> {
    const options = await this.#hands.typesInSelect(this.#top(), select, typed);
    return options.map(labelOf);
  }

  /** Submits the top modal. Returns the errors under its fields; empty if it was accepted. */
  async submits(): Promise<readonly string[]> {
    this.#remember();
    const outcome = await this.#hands.submits(this.#top());
    const errors = Object.values(outcome.errors);
    if (errors.length === 0) acknowledged(`${this.id} submits`, outcome);
    return errors;
  }

  async closes(): Promise<void> {
    const top = this.#top();
    await this.#acts('closes a modal', () => this.#hands.closes(top));
  }

  async closesAll(): Promise<void> {
    await this.#acts('closes all modals', () => this.#hands.closesAll());
  }

  createsChannel(name: string): string {
    const before = this.#hands.channels();
    this.#remember();
    this.#hands.createsChannel(name);
    const id = this.#hands.channels().find((each) => !before.includes(each));
    if (id === undefined) throw new Error(`${this.id} is not in #${name}`);
    return id;
  }

  archives(channel: string): void {
    this.#remember();
    this.#hands.archives(channel);
  }

  unarchives(channel: string): void {
    this.#remember();
    this.#hands.unarchives(channel);
  }

  invitesBot(channel: string): void {
    this.#remember();
    this.#hands.invitesBot(channel);
  }

  removesBot(channel: string): void {
    this.#remember();
    this.#hands.removesBot(channel);
  }

  async #acts(what: string, act: () => Promise<Outcome>): Promise<void> {
    this.#remember();
    acknowledged(`${this.id} ${what}`, await act());
  }

  #top(): string {
    const modal = this.modal();
    if (modal === undefined) throw new Error(`${this.id} has no modal open`);
    return modal.spot.viewId;
  }

  #remember(): void {
    const messages = this.#hands.channels().flatMap((channel) => this.messages(channel));
    const modals = this.#hands.views().map(shownModal);
    this.#before = new Map([
      ...messages.map(({ spot, words }) => [spot.ts, words] as const),
      ...modals.map(({ spot, words }) => [spot.viewId, words] as const),
    ]);
  }

  async #until<T>(look: () => T | undefined, what: string, timeoutMs = STILL_WORKING_AFTER_MS): Promise<T> {
    try {
      return await this.#workspace.until(look, { what, timeoutMs });
    } catch (error) {
      throw new Error(`${this.id} ${String(error)}; there is: ${this.#everything()}`, { cause: error });
    }
  }

  #everything(): string {
    const messages = this.#hands.channels().flatMap((channel) => this.messages(channel));
    return [...messages, ...[this.modal(), this.home()].filter((shown) => shown !== undefined)]
      .map(({ spot, words }) => `\n--- ${JSON.stringify(spot)}\n${words}`)
      .join('');
  }
}

/** On a slow machine the bot posts these beside the answer, maybe later. */
const ABOUT_WAITING = /^(⏳ .*\. The answer follows|✅ Done)\./m;

/** Longer than anything takes except the bot's own timeouts. */
const STILL_WORKING_AFTER_MS = 120_000;

function acknowledged(what: string, outcome: Outcome): void {
  if (!outcome.ok) throw new Error(`${what}, and Slack says: ${outcome.error}: ${outcome.message}`);
}
