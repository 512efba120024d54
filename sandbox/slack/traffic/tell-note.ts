import { parseJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { Reply } from '../replies.ts';
import { argumentsInShort, payloadInShort } from './in-short.ts';
import type { CallNote, ConnectionNote, EnvelopeNote, Note } from './notes.ts';
import { problemsIn } from './problems.ts';
import { redact } from './redact.ts';
import type { TrafficEntry, TrafficLine, TrafficOutcome } from './traffic-protocol.ts';

/** Returns a note's entry in the list, without secrets. */
export function lineOf(note: Note): TrafficLine {
  const { sent: _sent, answer: _answer, ...line } = entryOf(note);
  return line;
}

/** Returns all of a note, without secrets. */
export function entryOf(note: Note): TrafficEntry {
  switch (note.kind) {
    case 'call':
      return tellCall(note);
    case 'envelope':
      return tellEnvelope(note);
    case 'connection':
      return tellConnection(note);
  }
}

function tellCall({ id, at, kind, method, args, reply }: CallNote): TrafficEntry {
  const sent = redact(structured(args));
  const answer = reply.kind === 'answer' ? redact(reply.body) : null;
  return {
    id,
    at,
    kind,
    what: method,
    about: argumentsInShort(sent),
    outcome: outcomeOf(reply, rootIn(method, sent)),
    sent,
    answer,
  };
}

/** Parses objects in a form's fields, which are text, so that a problem's place can be found in them. */
function structured(args: Json): Json {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, structure(value)]));
}

function structure(value: unknown): unknown {
  return typeof value === 'string' && /^[[{]/.test(value) ? (parseJson(value) ?? value) : value;
}

/** Returns the base of a method's pointers: those of `blocks.validate` are relative to its argument. */
function rootIn(method: string, sent: Json): string {
  const given = ['blocks', 'message', 'view'].find((name) => sent[name] !== undefined);
  return method === 'blocks.validate' && given !== undefined ? `/${given}` : '';
}

function outcomeOf(reply: Reply, root: string): TrafficOutcome {
  if (reply.kind !== 'answer') return { is: 'lost' };
  const { body, headers } = reply;
  if (body.ok === true) return { is: 'accepted' };
  return refused(body, hintIn(body, headers['retry-after']), root);
}

function hintIn(body: Json, retryAfter: string | undefined): string | null {
  if (retryAfter !== undefined) return `try again after ${retryAfter} s`;
  const needed = stringIn(body, 'needed');
  return needed === undefined ? null : `needs ${needed}`;
}

function refused(body: Json, hint: string | null, root: string): TrafficOutcome {
  return { is: 'refused', error: stringIn(body, 'error') ?? '', hint, problems: problemsIn(body, root) };
}

function tellEnvelope(note: EnvelopeNote): TrafficEntry {
  const { id, at, kind, payload, repetition, delivery } = note;
  const sent = redact(payload);
  const { what, about } = payloadInShort(note);
  const again = repetition === undefined ? '' : ` (repetition ${repetition.attempt}: ${repetition.reason})`;
  const answer = delivery?.ok === true ? redact(delivery.response) : null;
  return { id, at, kind, what, about: `${about}${again}`, outcome: outcomeOfDelivery(note), sent, answer };
}

function outcomeOfDelivery({ delivery, refusal }: EnvelopeNote): TrafficOutcome {
  if (delivery === null) return { is: 'waiting' };
  if (!delivery.ok) return { is: 'never acknowledged', error: delivery.error };
  if (refusal !== null) return refused({ error: refusal.word, ...refusal.details }, 'in the acknowledgment', '');
  return { is: 'acknowledged', afterMs: delivery.ackMs };
}

function tellConnection({ id, at, kind, what, about }: ConnectionNote): TrafficEntry {
  return { id, at, kind, what, about, outcome: { is: 'noted' }, sent: null, answer: null };
}
