import { InputError } from '../errors.ts';
import { scrub, scrubValue } from './scrub.ts';
import { unmasked } from './unmasked.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** Personal data, read in two ways only: masked, for the person who asked, or in full, for a request to the service. */
export class Payload {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#content).length === 0;
  }

  /** The names of its fields, without values. Omits a name that is a contact or contains a secret, as in `{"anna@example.com": …}`. */
  get fields(): readonly string[] {
    return Object.keys(this.#content).filter((name) => scrub(name) === name);
  }

  /** Returns a copy without secrets and contacts, by key name and by pattern. */
  masked(): JsonObject {
    return scrubValue(this.#content) as JsonObject;
  }

  /** What stayed masked keeps its original. Throws `InputError` if a masked value was moved to a place without an original. */
  edited(typed: Payload): Payload {
    const { object, left } = unmasked(typed.#content, this.#content, this.masked());
    if (left > 0) throw movedMask();
    return new Payload(object);
  }

  /** Throws `InputError` if a masked value is in another place than in `shown`, the masked copy that was edited. */
  refuseMovedMasks(shown: Payload): void {
    if (unmasked(this.#content, shown.#content, shown.#content).left > 0) throw movedMask();
  }

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
