import type { Delivery, EnvelopeType, Repetition } from '../delivery.ts';
import type { Json } from '../page-protocol.ts';
import type { Refusal } from '../refusal.ts';
import type { Reply } from '../replies.ts';
import type { EnvelopeNote, Note } from './notes.ts';
import { entryOf, lineOf } from './tell-note.ts';
import type { TrafficEntry, TrafficLine } from './traffic-protocol.ts';

/** A sandbox may run for days: the oldest notes go. */
const KEPT = 500;

/** What went between the bot and the workspace lately: calls, envelopes and posts, connections. It is shown without secrets. */
export class Traffic {
  readonly #now: () => number;
  readonly #notes = new Map<number, Note>();
  readonly #listeners = new Set<(line: TrafficLine) => void>();
  #nextId = 1;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The newest 500, oldest first. */
  lines(): readonly TrafficLine[] {
    return [...this.#notes.values()].map(lineOf);
  }

  entry(id: number): TrafficEntry | undefined {
    const note = this.#notes.get(id);
    return note && entryOf(note);
  }

  /** Hears each line that is new or has changed, until the returned function is called. */
  subscribe(listener: (line: TrafficLine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(method: string, args: Json, reply: Reply): void {
    this.#put({ ...this.#begin(), kind: 'call', method, args, reply });
  }

  /** Notes what the bot receives; the returned function takes how that went. */
  envelope(type: EnvelopeType, payload: Json, repetition?: Repetition): (delivery: Delivery) => void {
    const open = { kind: 'envelope', type, payload, repetition, delivery: null, refusal: null } as const;
    const note: EnvelopeNote = { ...this.#begin(), ...open };
    this.#put(note);
    return (delivery) => this.#change({ ...note, delivery });
  }

  /** What the bot answered in this acknowledgment can't be taken. */
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

  /** A note that has gone meanwhile stays gone. */
  #change(note: Note): void {
    if (this.#notes.has(note.id)) this.#put(note);
  }
}
