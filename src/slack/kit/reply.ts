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
  replace: Show;
  share: Required<Place>['share'] | null;
  /** Replaces the words 'Still working'. */
  working: (words: Markup) => void;
  during: (work: () => Promise<void>) => Promise<void>;
}

export type Outgoing = PostCtx &
  Pick<SlackCtx, 'newerKinds' | 'sleep' | 'storeCode'> & { accessControl: Pick<SlackCtx['accessControl'], 'canUse'> };

const STILL_WORKING_AFTER_MS = 1_800;
const DONE = asMessage('✅ Done.');

export function replyIn(place: Place, userId: string, out: Outgoing): Reply {
  const { logger, sleep } = out;
  const { post, share = null, skipsProgress = () => false } = place;
  const show: Show = async (content) => void (await post(content));
  let stillWorking: Promise<Show | null> | null = null;
  let isAnswered = false;
  let progress = mrkdwn`⏳ Still working.`;
  const answer = (showHere: Show) => async (content: MessageContent) => {
    const whole = share === null ? withoutShare(content) : content;
    const forOthers = without(whole, isForOperators);
    const shown =
      isDeepStrictEqual(forOthers, whole) || (await out.accessControl.canUse(userId, 'operators')) ? whole : forOthers;
    isAnswered = true;
    const replace = await stillWorking;
    stillWorking = null;
    try {
      await (replace ?? showHere)(shown);
    } catch (error) {
      logger.warn({ err: error }, "An answer couldn't be shown in its place, showing it in another");
      await showDirectly(shown, showHere);
    }
  };
  const showDirectly = async (content: MessageContent, showHere: Show) => {
    try {
      await channelPlace(userId, null, userId, out).post(content);
    } catch (error) {
      if (!(error instanceof WebAPIPlatformError)) throw error;
      logger.warn({ err: error }, 'Slack refused an answer in direct messages, too');
      // Its place may have refused its size or its blocks.
      await showHere(errorCard(unreachedText(error.data.error)));
    }
  };
  const failed = (err: unknown) => {
    logger.warn({ err }, "'still working' couldn't be shown to a person, or taken back");
    return null;
  };
  return {
    share,
    show: answer(show),
    replace: answer(place.replace ?? show),
    working: (words) => {
      progress = mrkdwn`⏳ ${words}.`;
    },
    during: async (work) => {
      const ended = new AbortController();
      const timer = sleep(STILL_WORKING_AFTER_MS, ended.signal).then(() => {
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

export function withoutShare(content: MessageContent): MessageContent {
  return without(content, ({ action_id: id = '' }) => id.startsWith(SHARE_COMMAND));
}

function without(content: MessageContent, isLeftOut: (control: { action_id?: string }) => boolean) {
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

/** Shows the content to the actor, who isn't mentioned, instead of rejecting. `channel` can be a person's ID. */
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
