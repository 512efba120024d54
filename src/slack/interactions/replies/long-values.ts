import type { ModalView } from '@slack/types';
import type { Seal } from '../../../domain/access/seal.ts';
import { isReference, type KeptTexts, referenceOf } from '../../../domain/text/kept-texts.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import { BUTTON_VALUE, PRIVATE_METADATA, URL } from '../../blocks/limits.ts';

export interface LongValuesParts {
  readonly texts: Pick<KeptTexts, 'keepText' | 'keptText'>;
  readonly seal: Seal;
  readonly now: () => Date;
}

/** The values of buttons and the metadata of views, of which Slack takes no more than so many characters: ids of the service may be longer. */
export interface LongValues {
  /** A message or view that Slack takes whatever its ids: what is too long is kept, with a reference in its place. Rejects where it can't be. */
  fitted<Content extends MessageContent | ModalView>(content: Content): Promise<Content>;
  /** What a reference stands for; anything else as it came. A reference to what is no longer kept is nobody's value. */
  whole(written: string): Promise<string>;
}

/** Buttons of messages that are older than this answer that they are from an older version. */
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
    // A link that long leads nowhere in a browser either.
    if (fields.type === 'button' && isLongerThan(fields.url, URL)) return LEFT_OUT;
    const fitted = await Promise.all(
      Object.entries(fields).map(async ([key, one]) => {
        if (key === 'value' && fields.type === 'button' && isLongerThan(one, BUTTON_VALUE)) {
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

/** Nearly no message has a value, link or metadata that long; the walk through its blocks is for those that may. */
const SOMETHING_LONG = /"(?:value|url|private_metadata)":"(?:[^"\\]|\\.){1900}/;

function isLongerThan(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > longest;
}
