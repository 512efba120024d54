import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { ProgressMessage, TriggerProgress } from '../../../triggers/follow.ts';
import type { ProgressReporter } from '../../../triggers/send.ts';
import { sendable } from '../../kit/sendable.ts';
import { PASSING_ERRORS } from '../../router/calls.ts';
import { progressMessage } from './message.ts';

/** In the direct messages of the person who sent them. */
export function createProgressReporter(
  /** For edits, which are safe to repeat. */
  client: WebClient,
  /** Tries each call once: a repeated post would be a second message. */
  deliveryClient: WebClient,
  environments: readonly Environment[],
  logger: Logger,
): ProgressReporter {
  const shown = new WeakMap<ProgressMessage, string>();
  const contentOf = (progress: TriggerProgress) => {
    const environment = environmentNamed(progress.intent.environment, environments);
    const { text, blocks } = sendable(progressMessage(progress, environment));
    return { text, blocks: [...blocks] };
  };
  const failed = (error: unknown, { intent }: TriggerProgress) =>
    logger.warn({ err: error, environment: intent.environment }, 'the progress of a trigger could not be shown');
  return {
    open: async (progress) => {
      const content = contentOf(progress);
      try {
        const post = { channel: progress.intent.actor, ...content, unfurl_links: false, unfurl_media: false };
        const { channel, ts } = await deliveryClient.chat.postMessage(post);
        if (channel === undefined || ts === undefined)
          throw new Error('the answer to chat.postMessage names no message');
        const message = { channel, ts };
        shown.set(message, JSON.stringify(content));
        return message;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        failed(error, progress);
        return null;
      }
    },
    update: async (message, progress) => {
      const content = contentOf(progress);
      const drawn = JSON.stringify(content);
      if (shown.get(message) === drawn) return 'done';
      try {
        await client.chat.update({ ...message, ...content });
        shown.set(message, drawn);
        return 'done';
      } catch (error) {
        failed(error, progress);
        return isRefusal(error) ? 'done' : 'later';
      }
    },
  };
}

/** Whether Slack won't ever take it. */
function isRefusal(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && !PASSING_ERRORS.has(error.data.error);
}
