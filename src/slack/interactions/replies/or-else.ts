import type { Logger } from '../../../domain/logger.ts';
import type { Reply } from './reply.ts';

/** Rejects only with the error of `next`. */
export function orElse(first: Reply, next: Pick<Reply, 'show'>, logger: Pick<Logger, 'warn'>): Reply {
  const either = (show: Reply['show']) => showOrElse(show, next, logger);
  const { show, replace, stillWorking, endWait, share } = first;
  return { show: either(show), replace: either(replace), stillWorking, endWait: endWait && either(endWait), share };
}

function showOrElse(show: Reply['show'], next: Pick<Reply, 'show'>, logger: Pick<Logger, 'warn'>): Reply['show'] {
  return async (content) => {
    try {
      await show(content);
    } catch (error) {
      logger.warn({ err: error }, "an answer couldn't be shown where it belongs and goes elsewhere");
      await next.show(content);
    }
  };
}
