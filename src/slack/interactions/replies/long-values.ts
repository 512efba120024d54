import type { ModalView } from '@slack/types';
import type { Seal } from '../../../domain/access/seal.ts';
import { StoreTroubleError } from '../../../domain/health/store-trouble.ts';
import { isReference, type KeptTexts, referenceOf } from '../../../domain/text/kept-texts.ts';
import { context, type MessageContent } from '../../blocks/blocks.ts';
import { BLOCKS_JSON, BUTTON_VALUE, OWN_BUTTON_VALUE, PRIVATE_METADATA, URL } from '../../blocks/limits.ts';
import { mrkdwn } from '../../blocks/text.ts';

export interface LongValuesParts {
  readonly texts: Pick<KeptTexts, 'keepText' | 'keptText'>;
  readonly seal: Seal;
  readonly now: () => Date;
}

/** Fits the values of buttons and the metadata of views into Slack's limits: the service's IDs can be longer. */
export interface LongValues {
  /**
   * Returns a message or view that Slack accepts whatever its IDs: values that are too long are stored and replaced by a reference. While
   * nothing can be stored, they're sent as they are, or left out with their buttons if Slack wouldn't take them. Rejects with
   * `StoreTroubleError` if a form's metadata can't be stored, which it doesn't work without.
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
  const shortened = async (value: unknown, rule: ButtonRule): Promise<unknown> => {
    if (Array.isArray(value)) {
      const all = await Promise.all(value.map((one) => shortened(one, rule)));
      return all.filter((one) => one !== LEFT_OUT);
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields: Record<string, unknown> = { ...value };
    // A link that long doesn't work in a browser either.
    if (fields.type === 'button' && isLongerThan(fields.url, URL)) return LEFT_OUT;
    if (fields.type === 'button' && isLongerThan(fields.value, rule.longest)) {
      const replaced = await rule.replace(fields.value);
      return replaced === LEFT_OUT ? LEFT_OUT : { ...fields, value: replaced };
    }
    const fitted = await Promise.all(
      Object.entries(fields).map(async ([key, one]) => {
        if (key === 'private_metadata' && isLongerThan(one, PRIVATE_METADATA))
          return [key, await referenceTo(one)] as const;
        return [key, await shortened(one, rule)] as const;
      }),
    );
    const kept = Object.fromEntries(fitted.filter(([, one]) => one !== LEFT_OUT));
    return fields.type === 'actions' && Array.isArray(kept.elements) && kept.elements.length === 0 ? LEFT_OUT : kept;
  };
  const whileNothingIsKept = async <Content extends MessageContent | ModalView>(content: Content): Promise<Content> => {
    let isAnyLeftOut = false;
    const replace: ButtonRule['replace'] = async () => {
      isAnyLeftOut = true;
      return LEFT_OUT;
    };
    const cut = async (longest: number) => (await shortened(content, { longest, replace })) as Content;
    const asItIs = await cut(BUTTON_VALUE);
    const fitted = isTooLong(asItIs) ? await cut(OWN_BUTTON_VALUE) : asItIs;
    return isAnyLeftOut ? { ...fitted, blocks: [...fitted.blocks, context(BUTTONS_MISSING)] } : fitted;
  };
  return {
    fitted: async <Content extends MessageContent | ModalView>(content: Content) => {
      if (!JSON.stringify(content).match(SOMETHING_LONG)) return content;
      try {
        return (await shortened(content, { longest: OWN_BUTTON_VALUE, replace: referenceTo })) as Content;
      } catch (error) {
        if (!(error instanceof StoreTroubleError)) throw error;
        return whileNothingIsKept(content);
      }
    },
    whole: async (written) => {
      if (!isReference(written)) return written;
      const sealed = await texts.keptText(written, now());
      return (sealed === null ? null : seal.open(sealed)) ?? written;
    },
  };
}

const LEFT_OUT: unique symbol = Symbol('left out');

/** What to do about the values of buttons. */
interface ButtonRule {
  /** The length up to which a value is sent as it is. */
  readonly longest: number;
  /** Returns what a longer one is replaced by; `LEFT_OUT` leaves out its button. */
  readonly replace: (value: string) => Promise<string | typeof LEFT_OUT>;
}

const BUTTONS_MISSING = mrkdwn`⚠️ Some buttons are missing here: Notif can't store anything right now.`;

function isTooLong({ blocks }: MessageContent | ModalView): boolean {
  return JSON.stringify(blocks).length > BLOCKS_JSON;
}

/** Few messages have a value, link or metadata that long; only those that may have one need a walk through their blocks. */
const SOMETHING_LONG = /"(?:value|url|private_metadata)":"(?:[^"\\]|\\.){475}/;

function isLongerThan(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > longest;
}
