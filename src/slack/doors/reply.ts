import type { WebClient } from '@slack/web-api';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { mrkdwn } from '../blocks/text.ts';
import { resultView } from '../blocks/view.ts';
import { type ResponseOptions, respondTo } from './response-url.ts';

/** The ways to answer a gesture. Each rejects when Slack did not take the answer. */
export interface Reply {
  /** Shows an answer to the person alone, beside what was acted on. */
  show(content: MessageContent): Promise<void>;
  /** Shows an answer in place of the message or modal that was acted on. */
  replace(content: MessageContent): Promise<void>;
  /** Says that the answer takes longer. */
  stillWorking(): Promise<void>;
  /** Shows something to everybody in the channel; null where there is no channel. */
  readonly share: ((content: MessageContent) => Promise<void>) | null;
}

/** Where a gesture with a response_url came from. */
export interface Origin {
  readonly responseUrl: string;
  /** A button's own message can be replaced; a command has none; what a message shortcut was chosen on is somebody else's (`aside`). */
  readonly kind: 'command' | 'button' | 'aside';
  readonly userId: string;
  readonly channelId: string | null;
}

const STILL_WORKING = message(mrkdwn`Still working …`, [section(mrkdwn`⏳ Still working …`)]);

/**
 * Answers at the response_url, and where Slack refuses that by an ephemeral message. The answer to a command takes the place of its
 * 'Still working …'.
 */
export function responseUrlReply(origin: Origin, client: WebClient): Reply {
  let waiting: Promise<void> | null = null;
  const send = async (content: MessageContent, options: ResponseOptions) => {
    await waiting;
    try {
      await respondTo(origin.responseUrl, content, options);
    } catch (error) {
      await postEphemeral(content, origin, client, error);
    }
  };
  const replaceOriginal = () => origin.kind === 'button' || (origin.kind === 'command' && waiting !== null);
  return {
    show: (content) => send(content, { replaceOriginal: origin.kind === 'command' && waiting !== null }),
    replace: (content) => send(content, { replaceOriginal: replaceOriginal() }),
    stillWorking: () => {
      waiting = send(STILL_WORKING, {});
      return waiting;
    },
    share: (content) => respondTo(origin.responseUrl, content, { inChannel: true }),
  };
}

async function postEphemeral(content: MessageContent, origin: Origin, client: WebClient, cause: unknown) {
  if (origin.channelId === null) throw cause;
  const { text, blocks } = content;
  await client.chat.postEphemeral({ channel: origin.channelId, user: origin.userId, text, blocks: [...blocks] });
}

/** Answers in the modal that was acted in. It says by itself that it is looking. */
export function modalReply(viewId: string, client: WebClient): Reply {
  const show = async (content: MessageContent) => {
    await client.views.update({ view_id: viewId, view: resultView(content) });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}

/** Answers a global shortcut, which comes from no channel, in a modal. */
export function openingReply(triggerId: string, client: WebClient): Reply {
  const show = async (content: MessageContent) => {
    await client.views.open({ trigger_id: triggerId, view: resultView(content) });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}

/** Answers in the direct messages of a person, for what has neither channel nor modal any more. */
export function directReply(userId: string, client: WebClient): Reply {
  const show = async ({ text, blocks }: MessageContent) => {
    await client.chat.postMessage({
      channel: userId,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
    });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}
