import { InputError } from '../errors.ts';
import { scrub, scrubValue } from './scrub.ts';
import { unmasked } from './unmasked.ts';

/** A JSON object, as payloads are. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * A trigger's payload, or what else of it holds a person's data: overrides, a profile. It leaves in two ways only: masked, for a
 * private answer to somebody who asked for it, or whole, into a request to the service.
 */
export class Payload {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#content).length === 0;
  }

  /** The names of its fields, without their values. A name that is itself a contact or holds a secret, as in `{"anna@example.com": …}`, is left out. */
  get fields(): readonly string[] {
    return Object.keys(this.#content).filter((name) => scrub(name) === name);
  }

  /** A copy without secrets and contacts, by key name and by pattern. */
  masked(): JsonObject {
    return scrubValue(this.#content) as JsonObject;
  }

  /**
   * This payload as somebody edited its masked copy: what they left masked keeps its original. Throws `InputError` where a masked value
   * was moved to a place that has no original.
   */
  edited(typed: Payload): Payload {
    const { object, left } = unmasked(typed.#content, this.#content, this.masked());
    if (left > 0) throw movedMask();
    return new Payload(object);
  }

  /** Throws `InputError` where a masked value stands elsewhere than in `shown`, the masked copy over which this was typed. */
  refuseMovedMasks(shown: Payload): void {
    if (unmasked(this.#content, shown.#content, shown.#content).left > 0) throw movedMask();
  }

  /** The content as it is, for the trigger operation and nothing else. */
  forTrigger(): JsonObject {
    return this.#content;
  }

  toJSON(): JsonObject {
    return this.masked();
  }
}

function movedMask(): InputError {
  return new InputError('payload', 'A masked value (•••) was moved. Type it in full, or leave it where it was.');
}
