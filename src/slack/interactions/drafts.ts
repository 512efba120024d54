import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Seal } from '../../domain/access/seal.ts';
import type { Logger } from '../../domain/logger.ts';
import type { KeptTexts } from '../../domain/text/kept-texts.ts';
import { inTime, type Sleep } from '../../domain/time/in-time.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import { button, section } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { TYPED } from '../blocks/inputs/inputs.ts';
import { mrkdwn } from '../blocks/text.ts';
import { waitingView } from '../blocks/view.ts';
import { type ErrorText, errorCard } from '../blocks/words/error-card.ts';
import type { ActionInteraction } from './interaction.ts';
import type { LongValues } from './replies/long-values.ts';
import { type DraftedForm, OldButtonError, type Route, routesFor } from './route.ts';
import { isChanged, isFilledAlike, withTypedIn } from './typed.ts';

export interface DraftsParts {
  readonly texts: KeptTexts;
  readonly seal: Seal;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly sleep: Sleep;
  /** Returns a form's metadata if Slack has only a reference to it. */
  readonly whole: LongValues['whole'];
}

/** Keeps what people typed in forms that they didn't submit for ten minutes: sealed, and shown to nobody else. */
export interface Drafts {
  /**
   * Keeps the contents of a form, from Slack's view. One that isn't submitted is kept only if the person filled in something, now or before
   * it was restored. One that was submitted earlier doesn't replace what was typed since. Never rejects: a form works without.
   */
  keep(userId: string, sent: unknown, submittedAt?: Date): Promise<void>;
  /**
   * Replaces what was typed until a form was submitted by nothing, also where the store gets that later. What was typed in another form
   * meanwhile stays.
   */
  forget(userId: string, view: Filed, sentAt: Date): Promise<void>;
  /** Returns the form to show, with an offer to restore what was typed in a similar one. Takes a second at most. */
  opening(userId: string, view: ModalView): Promise<ModalView>;
  /** The routes for that offer's button, and for what Slack sends while a person types. */
  readonly routes: readonly Route[];
}

/** What distinguishes forms of one person. */
export interface Filed {
  readonly callbackId: string;
  readonly privateMetadata: string;
}

/** [Restore] */
export const RESTORE = 'draft.restore';

/** Returns where the draft that a form offers is kept: what is typed next replaces the draft, but not the offered one. */
const offered = (key: string) => `${key} offered`;

const KEPT_MS = 10 * 60_000;
/** A form must be opened within three seconds of its interaction, and a form without the offer looks as if what was typed were lost. */
const PATIENCE_MS = 1_000;

/** Returns how a form is kept, by its view's callback ID. Null if its drafts aren't. */
export type DraftedFormOf = (callbackId: string) => DraftedForm | null;

export function createDrafts(formOf: DraftedFormOf, parts: DraftsParts): Drafts {
  const { texts, seal, logger, now, sleep, whole } = parts;
  const keyOf = (userId: string, { callbackId, privateMetadata }: Filed): string | null => {
    const subject = formOf(callbackId)?.subject(privateMetadata) ?? null;
    return subject === null ? null : `draft ${userId} ${callbackId} ${subject}`.slice(0, 1_000);
  };
  const restoredIn = (privateMetadata: string, { view }: Draft): ModalView =>
    formOf(view.callback_id ?? '')?.restored(view, privateMetadata) ?? view;
  const untilOf = (at: Date) => new Date(at.getTime() + KEPT_MS);
  const load = async (key: string): Promise<Draft | null> => {
    const sealed = await texts.keptText(key, now());
    const opened = sealed === null ? null : seal.open(sealed);
    return opened === null ? null : (Draft.safeParse(JSON.parse(opened)).data ?? null);
  };
  const store = (key: string, draft: Draft, at: Date) =>
    texts.keepText(key, seal.close(JSON.stringify(draft)), untilOf(at));
  const attempt = async <Result>(what: string, work: () => Promise<Result>, instead: Result): Promise<Result> => {
    try {
      return await work();
    } catch (err) {
      logger.warn({ err }, what);
      return instead;
    }
  };
  const isRestored = async (key: string, { blocks }: SentView, privateMetadata: string): Promise<boolean> => {
    const draft = await load(offered(key));
    return draft !== null && isFilledAlike(blocks.filter(isOfForm), restoredIn(privateMetadata, draft).blocks);
  };
  const keep: Drafts['keep'] = (userId, sent, submittedAt) => {
    const at = submittedAt ?? now();
    return attempt(
      'what somebody typed in a form could not be kept',
      async () => {
        const view = SentView.safeParse(sent).data;
        if (view === undefined || !hasTyped(view)) return;
        const privateMetadata = await whole(view.private_metadata);
        const key = keyOf(userId, { callbackId: view.callback_id, privateMetadata });
        if (key === null) return;
        const isOwn =
          submittedAt !== undefined ||
          isChanged(view.blocks, view.state.values) ||
          (await isRestored(key, view, privateMetadata));
        if (!isOwn) return;
        await store(key, { at: at.toISOString(), view: { ...filledIn(view), private_metadata: privateMetadata } }, at);
      },
      undefined,
    );
  };
  const opening: Drafts['opening'] = async (userId, view) => {
    const { callback_id: callbackId, private_metadata: privateMetadata = '' } = view;
    const key = callbackId === undefined ? null : keyOf(userId, { callbackId, privateMetadata });
    if (key === null) return view;
    const form = { ...view, notify_on_close: true };
    const asked = attempt(
      'what somebody had typed in a form could not be looked for',
      async () => {
        const draft = await load(key);
        if (draft === null) return form;
        await store(offered(key), draft, now());
        return withOffer(form, draft, seal.close(key), now());
      },
      form,
    );
    return inTime(asked, { ms: PATIENCE_MS, instead: form }, sleep);
  };
  const restore = async (value: string, { modal, userId, reply }: ActionInteraction) => {
    const key = seal.open(parseValue(value)?.[0] ?? '');
    if (modal === null || key === null || !key.startsWith(`draft ${userId} `)) throw new OldButtonError();
    const draft = await load(offered(key));
    if (draft === null) return reply.show(errorCard(DRAFT_IS_GONE, null));
    // A field that stays keeps its content, whatever is drawn, so every field must be removed first.
    await modal.update(waitingView(draft.view.title.text, mrkdwn`⏳ Restoring …`));
    await modal.update(restoredIn(modal.privateMetadata, draft));
  };
  return {
    keep,
    opening,
    forget: (userId, view, sentAt) =>
      attempt(
        'what somebody typed in a form that was sent could not be forgotten before its time',
        async () => {
          const key = keyOf(userId, view);
          if (key !== null) await texts.keepText(key, seal.close(NOTHING), untilOf(sentAt));
        },
        undefined,
      ),
    routes: routesFor('everyone', [
      { surface: 'action', id: RESTORE, answer: (interaction) => restore(interaction.value, interaction) },
      // What was typed is stored with every click in a form.
      { surface: 'action', id: TYPED, answer: async () => {} },
    ]),
  };
}

/** A draft of a form that was sent, in JSON. */
const NOTHING = 'null';

const DRAFT_IS_GONE: ErrorText = {
  what: "What you typed before is kept for ten minutes only, and they're over.",
  next: 'The form keeps what you typed since.',
};

function withOffer(form: ModalView, { at }: Draft, sealedKey: string, now: Date): ModalView {
  const ago = describeDuration(Math.max(60_000, now.getTime() - Date.parse(at)));
  const what = mrkdwn`You filled in this form ${ago} ago and didn't send it. Restore what you typed?`;
  return { ...form, blocks: [section(what, button('Restore', RESTORE, writeValue([sealedKey]))), ...form.blocks] };
}

const Block = z.record(z.string(), z.unknown());
const Entry = z.record(z.string(), z.unknown());
const Words = z.looseObject({ type: z.string(), text: z.string() });

/** A view as Slack sends it with a click, with a submission, or when it's closed ("Interaction payloads"). */
const SentView = z.object({
  type: z.literal('modal'),
  callback_id: z.string(),
  private_metadata: z.string().default(''),
  title: Words,
  submit: Words.nullish(),
  close: Words.nullish(),
  blocks: z.array(Block),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), Entry)) }),
});
type SentView = z.output<typeof SentView>;

/** The parts of a view are passed back to Slack unchanged. */
const Draft = z.object({ at: z.iso.datetime(), view: z.custom<ModalView>((view) => SomeView.safeParse(view).success) });
type Draft = z.output<typeof Draft>;
const SomeView = z.looseObject({ type: z.literal('modal'), blocks: z.array(Block) });

function hasTyped({ state }: SentView): boolean {
  return Object.values(state.values).some((entries) =>
    Object.values(entries).some((entry) => typeof entry.value === 'string' && entry.value !== ''),
  );
}

/** Returns the same form, filled in with what was typed. */
function filledIn({ type, callback_id, private_metadata, title, submit, close, blocks, state }: SentView): ModalView {
  const drawn = withTypedIn(blocks.filter(isOfForm), state.values);
  return {
    type,
    callback_id,
    private_metadata,
    title: { type: 'plain_text', text: title.text },
    ...(submit ? { submit: { type: 'plain_text', text: submit.text } } : {}),
    ...(close ? { close: { type: 'plain_text', text: close.text } } : {}),
    notify_on_close: true,
    // Slack created them from what Notif had sent.
    blocks: drawn as unknown as KnownBlock[],
  };
}

/** Returns whether a block belongs to the form itself; the offer to restore a draft doesn't. */
function isOfForm(block: Readonly<Record<string, unknown>>): boolean {
  return Block.safeParse(block.accessory).data?.action_id !== RESTORE;
}
