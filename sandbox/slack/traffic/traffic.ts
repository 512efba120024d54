import type { Delivery, EnvelopeType, Repetition } from '../delivery.ts';
import type { Json } from '../page-protocol.ts';
import type { Refusal } from '../refusal.ts';
import type { Reply } from '../replies.ts';
import type { EnvelopeNote, Note } from './notes.ts';
import { entryOf, lineOf } from './tell-note.ts';
import type { TrafficEntry, TrafficLine } from './traffic-protocol.ts';

/** A sandbox can run for days, so the oldest notes are dropped. */
const KEPT = 500;

/** Recent traffic between the bot and the workspace: calls, envelopes and HTTP requests, connections. It is shown without secrets. */
export class Traffic {
  readonly #now: () => number;
  readonly #notes = new Map<number, Note>();
  readonly #listeners = new Set<(line: TrafficLine) => void>();
  #nextId = 1;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the newest 500, oldest first. */
  lines(): readonly TrafficLine[] {
    return [...this.#notes.values()].map(lineOf);
  }

  entry(id: number): TrafficEntry | undefined {
    const note = this.#notes.get(id);
    return note && entryOf(note);
  }

  /** Calls `listener` with each new or changed line until the returned function is called. */
  subscribe(listener: (line: TrafficLine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(method: string, args: Json, reply: Reply): void {
    this.#put({ ...this.#begin(), kind: 'call', method, args, reply });
  }

  /** Records what the bot receives. The returned function records the outcome. */
  envelope(type: EnvelopeType, payload: Json, repetition?: Repetition): (delivery: Delivery) => void {
    const open = { kind: 'envelope', type, payload, repetition, delivery: null, refusal: null } as const;
    const note: EnvelopeNote = { ...this.#begin(), ...open };
    this.#put(note);
    return (delivery) => this.#change({ ...note, delivery });
  }

  /** Records that the bot's answer in this acknowledgment is invalid. */
  refuse(delivery: Delivery, refusal: Refusal): void {
    const note = [...this.#notes.values()].find((each) => each.kind === 'envelope' && each.delivery === delivery);
    if (note?.kind === 'envelope') this.#change({ ...note, refusal });
  }

  connection(what: string, about = ''): void {
    this.#put({ ...this.#begin(), kind: 'connection', what, about });
  }

  #begin(): { readonly id: number; readonly at: number } {
    const id = this.#nextId;
    this.#nextId += 1;
    return { id, at: this.#now() };
  }

  #put(note: Note): void {
    this.#notes.set(note.id, note);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > KEPT && oldest !== undefined) this.#notes.delete(oldest);
    for (const listener of this.#listeners) listener(lineOf(note));
  }

  /** Does nothing if the note was dropped in the meantime. */
  #change(note: Note): void {
    if (this.#notes.has(note.id)) this.#put(note);
  }
}
