import { type Control, keptValues } from '../block-kit/controls.ts';
import { withTyped } from '../block-kit/fields.ts';
import { carryOut } from '../interactivity/carry-out.ts';
import type { Outcome } from '../interactivity/interaction.ts';
import { edit } from '../interactivity/writing.ts';
import { objectsIn } from '../json.ts';
import type { Json, OpenView, PageAct, PostedMessage, StateValues, Surface } from '../page-protocol.ts';
import { BOT, type SeedPerson, standingOf } from '../seed.ts';
import type { Channel, SlackState } from '../state.ts';
import { type FieldAnswer, findControl, findInput, type Target, valueFor } from './finding.ts';
import { fileSeenBy, homeOf, openViews, visibleMessages } from './snapshot.ts';

export type Spot = { channel: string; ts: string } | { viewId: string };

/** What one person does and sees in Slack. */
export class Hands {
  readonly #person: SeedPerson;
  readonly #slack: SlackState;
  /** What the person has filled in but not submitted, by view. */
  readonly #typed = new Map<string, StateValues>();

  constructor(person: SeedPerson, slack: SlackState) {
    this.#person = person;
    this.#slack = slack;
  }

  types(channel: string, text: string, thread: { readonly threadTs?: string } = {}): Promise<Outcome> {
    return this.#do({ do: text.startsWith('/') ? 'command' : 'say', channel, text, ...thread });
  }

  /** Writes a message literally, even with a leading slash. '@Notif' and other names become mentions. */
  says(channel: string, text: string, thread: { readonly threadTs?: string } = {}): Promise<Outcome> {
    return this.#do({ do: 'say', channel, text, ...thread });
  }

  edits(channel: string, ts: string, text: string): Promise<Outcome> {
    const message = this.#slack.message(channel, ts);
    if (message?.author !== this.#person.id) throw new Error(`${this.#person.name} wrote nothing at ${ts}`);
    return edit(message, text, this.#slack);
  }

  opensHome(): Promise<Outcome> {
    return this.#do({ do: 'open-tab', tab: 'home' });
  }

  home(): OpenView | undefined {
    return homeOf(this.#person, this.#slack) ?? undefined;
  }

  clicks(spot: Spot, target: Target): Promise<Outcome> {
    const { control, action } = findControl(this.#blocksAt(spot), target);
    return this.#acts(spot, control, action);
  }

  async picks(spot: Spot, target: Target, answer: FieldAnswer): Promise<Outcome> {
    const { control } = findControl(this.#blocksAt(spot), target);
    const value = await this.#answer(spot, control, answer);
    this.#remember(spot, control, value);
    return this.#acts(spot, control, value);
  }

  choosesShortcut(callbackId: string): Promise<Outcome> {
    return this.#do({ do: 'global-shortcut', callbackId });
  }

  choosesMessageShortcut(callbackId: string, channel: string, ts: string): Promise<Outcome> {
    return this.#do({ do: 'message-shortcut', callbackId, channel, ts });
  }

  async fillsIn(viewId: string, answers: Readonly<Record<string, FieldAnswer>>): Promise<void> {
    for (const [label, answer] of Object.entries(answers)) {
      const spot = { viewId };
      const control = findInput(this.#blocksAt(spot), label);
      const value = await this.#answer(spot, control, answer);
      this.#remember(spot, control, value);
      if (control.block.dispatch_action === true) await this.#acts(spot, control, value);
    }
  }

  async typesInSelect(viewId: string, actionId: string, typed: string): Promise<readonly Json[]> {
    const spot = { viewId };
    return this.#suggestions(spot, findControl(this.#blocksAt(spot), { actionId }).control, typed);
  }

  async submits(viewId: string): Promise<Outcome & { errors: Readonly<Record<string, string>> }> {
    const outcome = await this.#do({ do: 'submit-view', viewId, state: this.#typedIn(viewId) });
    return { ...outcome, errors: (outcome.ok ? undefined : outcome.errors) ?? {} };
  }

  closes(viewId: string): Promise<Outcome> {
    return this.#do({ do: 'close-view', viewId });
  }

  closesAll(): Promise<Outcome> {
    return this.#do({ do: 'close-all-views' });
  }

  view(): OpenView | undefined {
    return this.views().at(-1);
  }

  views(): readonly OpenView[] {
    return openViews(this.#person, this.#slack);
  }

  sees(channel: string): readonly PostedMessage[] {
    return visibleMessages(channel, this.#person, this.#slack);
  }

  reads(fileId: string): string {
    const seen = fileSeenBy(this.#person, fileId, this.#slack);
    if (seen === undefined) throw new Error(`${this.#person.name} sees no file ${fileId}`);
    return seen.content.toString('utf8');
  }

  channels(): readonly string[] {
    return this.#slack.channelsOf(this.#person.id).map(({ id }) => id);
  }

  /** Creates a public channel with every member of the workspace, without guests and the bot. 'alerts' becomes C0ALERTS. */
  createsChannel(name: string): void {
    const members = this.#slack.people.filter((each) => standingOf(each) === 'member' && this.#slack.isActive(each.id));
    const id = `C0${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
    this.#slack.putChannel({ id, name, members: members.map((each) => each.id) });
  }

  archives(channel: string): void {
    this.#slack.putChannel({ ...this.#channel(channel), isArchived: true });
  }

  unarchives(channel: string): void {
    this.#slack.putChannel({ ...this.#channel(channel), isArchived: false });
  }

  invitesBot(channel: string): void {
    this.#slack.admit(this.#channel(channel), BOT.userId);
  }

  removesBot(channel: string): void {
    this.#slack.expel(this.#channel(channel), BOT.userId);
  }

  #channel(id: string): Channel {
    const channel = this.#slack.channel(id);
    if (channel === undefined) throw new Error(`there is no channel ${id} in this workspace`);
    return channel;
  }

  #do(act: PageAct): Promise<Outcome> {
    return carryOut(this.#person, act, this.#slack);
  }

  #acts(spot: Spot, { blockId, actionId }: Control, action: Json): Promise<Outcome> {
    const state = 'viewId' in spot ? this.#typedIn(spot.viewId) : { [blockId]: { [actionId]: action } };
    return this.#do({ do: 'block-action', surface: surfaceOf(spot), blockId, actionId, action, state });
  }

  #answer(spot: Spot, control: Control, answer: FieldAnswer): Promise<Json> {
    const optionsFor = (typed: string) => this.#suggestions(spot, control, typed);
    return valueFor(control.element, answer, optionsFor, {
      selected_user: (name) => this.#personCalled(name),
      selected_conversation: (name) => this.#channelCalled(name),
    });
  }

  #personCalled(called: string): string {
    const person = this.#slack.person(called) ?? this.#slack.personNamed(called.replace('@', ''));
    if (person === undefined) throw new Error(`there is no ${called} in this workspace`);
    return person.id;
  }

  #channelCalled(called: string): string {
    const channel = this.#slack.channelsOf(this.#person.id).find(({ name }) => name === called.replace('#', ''));
    if (channel === undefined) throw new Error(`there is no ${called} that ${this.#person.id} sees`);
    return channel.id;
  }

  async #suggestions(spot: Spot, { blockId, actionId }: Control, value: string): Promise<readonly Json[]> {
    const answer = await this.#do({ do: 'suggest', surface: surfaceOf(spot), blockId, actionId, value });
    if (!answer.ok) throw new Error(`the select offers nothing: ${answer.error}: ${answer.message}`);
    return answer.options ?? [];
  }

  #remember(spot: Spot, control: Control, value: Json): void {
    if ('viewId' in spot) this.#typed.set(spot.viewId, withTyped(this.#typedIn(spot.viewId), control, value));
  }

  #typedIn(viewId: string): StateValues {
    const typed = keptValues(this.#typed.get(viewId) ?? {}, objectsIn(this.#viewAt(viewId)?.view, 'blocks'));
    this.#typed.set(viewId, typed);
    return typed;
  }

  #viewAt(viewId: string): OpenView | undefined {
    return [...this.views(), this.home()].find((each) => each?.id === viewId);
  }

  #blocksAt(spot: Spot): readonly Json[] {
    const view = 'viewId' in spot && this.#viewAt(spot.viewId);
    const message = 'ts' in spot && this.sees(spot.channel).find(({ ts }) => ts === spot.ts);
    if (view) return objectsIn(view.view, 'blocks');
    if (message) return message.blocks;
    throw new Error(`${this.#person.name} doesn't see ${JSON.stringify(spot)}`);
  }
}

function surfaceOf(spot: Spot): Surface {
  return 'viewId' in spot ? { in: 'view', viewId: spot.viewId } : { in: 'message', channel: spot.channel, ts: spot.ts };
}
