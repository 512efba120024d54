import { isDeepStrictEqual } from 'node:util';
import type { ActionsBlockElement } from '@slack/types';
import { WebAPIPlatformError } from '@slack/web-api';
import type { SlackCtx } from '../ctx.ts';
import { isSendable, type MessageBlock } from './blocks.ts';
import { SHARE_COMMAND } from './buttons.ts';
import { errorCard, unreachedText } from './error-card.ts';
import { asMessage, type MessageContent } from './message.ts';
import { channelPlace, type Place, type PostCtx, type Show } from './places.ts';
import { isForOperators } from './published.ts';
import { type Markup, mrkdwn } from './text.ts';

export interface Reply {
  show: Show;
  /** Shows the content in place of the message with the clicked button, where there is one. */
  replace: Show;
  /** Null where everyone sees the answer, or nobody else can. */
  share: Required<Place>['share'] | null;
  /** Replaces the words 'Still working'. */
  working: (words: Markup) => void;
  /** Says 'Still working' while `work` shows nothing, and that it's done if it never does. */
  during: (work: () => Promise<void>) => Promise<void>;
}

export type Outgoing = PostCtx &
  Pick<SlackCtx, 'newerKinds' | 'sleep' | 'storeCode'> & { accessControl: Pick<SlackCtx['accessControl'], 'canUse'> };

/** A modal for "Still working" has to be opened within Slack's three seconds. */
const STILL_WORKING_AFTER_MS = 1_800;
const DONE = asMessage('✅ Done.');

export function replyIn(place: Place, userId: string, out: Outgoing): Reply {
  const { post, share = null, skipsProgress = () => false } = place;
  const show: Show = async (content) => void (await post(content));
  let progress = mrkdwn`⏳ Still working.`;
  /** "Still working", while that stands in the place, with how to replace it; null where the place can't. */
  let stillWorking: Promise<Show | null> | null = null;
  let isAnswered = false;
  const answerBy = (showHere: Show) => async (content: MessageContent) => {
    const shown = await contentFor(userId, share === null ? withoutShare(content) : content, out);
    isAnswered = true;
    const replace = await stillWorking;
    stillWorking = null;
    try {
      await (replace ?? showHere)(shown);
    } catch (error) {
      out.logger.warn({ err: error }, "An answer couldn't be shown in its place, showing it in another");
      await showDirectly(shown, userId, { out, showHere });
    }
  };
  const failed = (err: unknown) => {
    out.logger.warn({ err }, "'still working' couldn't be shown to a person, or taken back");
    return null;
  };
  return {
    share,
    show: answerBy(show),
    replace: answerBy(place.replace ?? show),
    working: (words) => {
      progress = mrkdwn`⏳ ${words}.`;
    },
    during: async (work) => {
      const ended = new AbortController();
      const timer = out.sleep(STILL_WORKING_AFTER_MS, ended.signal).then(() => {
        if (ended.signal.aborted || isAnswered || skipsProgress()) return;
        stillWorking = post(asMessage(mrkdwn`${progress} The answer follows.`)).catch(failed);
      });
      try {
        await work();
      } finally {
        ended.abort();
        await timer;
        if (stillWorking !== null) await ((await stillWorking) ?? post)(DONE).catch(failed);
      }
    },
  };
}

/** Asks who is an operator only for content with something for operators, since that can take a call of Slack. */
async function contentFor(userId: string, content: MessageContent, out: Outgoing): Promise<MessageContent> {
  const forOthers = without(content, isForOperators);
  if (isDeepStrictEqual(forOthers, content)) return content;
  return (await out.accessControl.canUse(userId, 'operators')) ? content : forOthers;
}

async function showDirectly(
  content: MessageContent,
  userId: string,
  { out, showHere }: { out: Outgoing; showHere: Show },
): Promise<void> {
  try {
    await channelPlace(userId, null, userId, out).post(content);
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError)) throw error;
    out.logger.warn({ err: error }, 'Slack refused an answer in direct messages, too');
    // Its place may have refused its size or its blocks.
    await showHere(errorCard(unreachedText(error.data.error)));
  }
}

export function withoutShare(content: MessageContent): MessageContent {
  return without(content, ({ action_id: id = '' }) => id.startsWith(SHARE_COMMAND));
}

function without(content: MessageContent, isLeftOut: (control: { action_id?: string }) => boolean): MessageContent {
  const kept = <Control extends object>(controls: readonly Control[]) => controls.filter((each) => !isLeftOut(each));
  const blocks = content.blocks.flatMap((block): MessageBlock[] => {
    if (block.type !== 'actions') return [block];
    const shortened = (element: ActionsBlockElement) =>
      element.type === 'overflow' ? { ...element, options: kept(element.options) } : element;
    const elements = kept(block.elements).map(shortened).filter(isSendable);
    return elements.length === 0 ? [] : [{ ...block, elements }];
  });
  return { ...content, blocks };
}

/** Posts a change in a channel, or to a person whose ID `channel` is. If Slack refuses it, its actor is shown it. */
export async function postInChannel(
  ctx: Omit<Outgoing, 'sleep'>,
  channel: string,
  content: MessageContent,
  { reply }: { reply: Reply },
): Promise<void> {
  try {
    await channelPlace(channel, null, null, ctx).post(content);
  } catch (error) {
    ctx.logger.warn({ err: error, channel }, "A change in a channel couldn't be announced there");
    await reply.show(content).catch((err: unknown) => ctx.logger.error({ err }, 'A change was shown to nobody'));
  }
}
