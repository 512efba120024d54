import { isDelivery, type TriggeredEvent } from '../service/event.ts';
import { isDelivered, type Judgement } from './judge.ts';

export interface Delivered {
  readonly channel: string;
  readonly provider: string | null;
  readonly at: Date;
}

export function deliveriesOf(event: TriggeredEvent, { steps }: Judgement): Delivered[] {
  return steps.flatMap(({ job, verdict }) => {
    const at = job.updatedAt ?? event.updatedAt ?? event.createdAt;
    if (!isDelivered(verdict) || job.status !== 'completed' || !isDelivery(job) || at === null) return [];
    return [{ channel: job.type, provider: job.provider, at }];
  });
}
