import type { ModalView } from '@slack/types';
import type { Seal } from '../../../domain/access/seal.ts';
import { isReference, type KeptTexts, referenceOf } from '../../../domain/text/kept-texts.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import { OWN_BUTTON_VALUE, PRIVATE_METADATA, URL } from '../../blocks/limits.ts';

export interface LongValuesParts {
  readonly texts: Pick<KeptTexts, 'keepText' | 'keptText'>;
  readonly seal: Seal;
  readonly now: () => Date;
}

/** Fits the values of buttons and the metadata of views into Slack's limits: the service's IDs can be longer. */
export interface LongValues {
  /**
   * Returns a message or view that Slack accepts whatever its IDs: values that are too long are stored and replaced by a reference. Rejects
   * if they can't be stored.
   */
  fitted<Content extends MessageContent | ModalView>(content: Content): Promise<Content>;
  /** Returns the value behind a reference, and anything else unchanged. A reference to a value that is no longer kept isn't valid. */
  whole(written: string): Promise<string>;
}

/** Buttons of older messages answer that they are from an older version. */
const KEPT_MS = 30 * 24 * 3_600_000;

export function createLongValues({ texts, seal, now }: LongValuesParts): LongValues {
  const referenceTo = async (value: string): Promise<string> => {
    const reference = referenceOf(value);
    await texts.keepText(reference, seal.close(value), new Date(now().getTime() + KEPT_MS));
    return reference;
  };
  const shortened = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return (await Promise.all(value.map(shortened))).filter((one) => one !== LEFT_OUT);
    if (typeof value !== 'object' || value === null) return value;
    const fields: Record<string, unknown> = { ...value };
    // A link that long doesn't work in a browser either.
    if (fields.type === 'button' && isLongerThan(fields.url, URL)) return LEFT_OUT;
    const fitted = await Promise.all(
      Object.entries(fields).map(async ([key, one]) => {
        if (key === 'value' && fields.type === 'button' && isLongerThan(one, OWN_BUTTON_VALUE)) {
          return [key, await referenceTo(one)] as const;
        }
        if (key === 'private_metadata' && isLongerThan(one, PRIVATE_METADATA))
          return [key, await referenceTo(one)] as const;
        return [key, await shortened(one)] as const;
      }),
    );
    const kept = Object.fromEntries(fitted.filter(([, one]) => one !== LEFT_OUT));
    return fields.type === 'actions' && Array.isArray(kept.elements) && kept.elements.length === 0 ? LEFT_OUT : kept;
  };
  return {
    fitted: async <Content extends MessageContent | ModalView>(content: Content) => {
      if (!JSON.stringify(content).match(SOMETHING_LONG)) return content;
      return (await shortened(content)) as Content;
    },
    whole: async (written) => {
      if (!isReference(written)) return written;
      const sealed = await texts.keptText(written, now());
      return (sealed === null ? null : seal.open(sealed)) ?? written;
    },
  };
}

const LEFT_OUT = Symbol('left out');

/** Few messages have a value, link or metadata that long; only those that may have one need a walk through their blocks. */
const SOMETHING_LONG = /"(?:value|url|private_metadata)":"(?:[^"\\]|\\.){475}/;

function isLongerThan(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > longest;
}
