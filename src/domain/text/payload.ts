import { InputError } from '../errors.ts';
import { scrub, scrubValue } from './scrub.ts';
import { unmasked } from './unmasked.ts';

export type JsonObject = { readonly [key: string]: unknown };

/**
 * A trigger's payload, or another part with personal data: overrides, a profile. It can be read in only two ways: masked, for a private
 * answer to the person who asked, or in full, for a request to the service.
 */
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

  /** Whether an integer in it is too long for JavaScript's numbers, so that it may have been another one in the JSON that was parsed. */
  get mayBeRounded(): boolean {
    return hasLongInteger(this.#content);
  }

  /** Returns a copy without secrets and contacts, by key name and by pattern. */
  masked(): JsonObject {
    return scrubValue(this.#content) as JsonObject;
  }

  /**
   * Returns this payload with the edits made in its masked copy; what stayed masked keeps its original value. Throws `InputError` if a
   * masked value was moved to a place without an original.
   */
  edited(typed: Payload): Payload {
    const { object, left } = unmasked(typed.#content, this.#content, this.masked());
    if (left > 0) throw movedMask();
    return new Payload(object);
  }

  /** Throws `InputError` if a masked value is in another place than in `shown`, the masked copy that was edited. */
  refuseMovedMasks(shown: Payload): void {
    if (unmasked(this.#content, shown.#content, shown.#content).left > 0) throw movedMask();
  }

  /** Returns the original content, only for the trigger operation. */
  forTrigger(): JsonObject {
    return this.#content;
  }

  toJSON(): JsonObject {
    return this.masked();
  }
}

function hasLongInteger(content: JsonObject): boolean {
  const left: unknown[] = [content];
  while (left.length > 0) {
    const value = left.pop();
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return true;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner);
  }
  return false;
}

function movedMask(): InputError {
  return new InputError('payload', 'A masked value (•••) was moved. Type it in full, or leave it where it was.');
}
