import { max, min } from 'date-fns';
import { isDelivery, type TriggeredEvent } from '../service/event.ts';
import { isDelivered, type Judgement } from './judge.ts';

export interface Success {
  readonly workflow: string | null;
  readonly channel: string;
  readonly provider: string | null;
  readonly from: Date;
  readonly to: Date;
}

export interface Delivered {
  readonly channel: string;
  readonly provider: string | null;
  readonly at: Date;
}

export function successesOf(
  page: readonly { readonly event: TriggeredEvent; readonly judgement: Judgement }[],
): Success[] {
  const sums = new Map<string, Success>();
  for (const success of page.flatMap(({ event, judgement }) => deliveredBy(event, judgement))) {
    const key = JSON.stringify([success.workflow, success.channel, success.provider]);
    const known = sums.get(key) ?? success;
    sums.set(key, { ...success, from: min([known.from, success.from]), to: max([known.to, success.to]) });
  }
  return [...sums.values()];
}

export function deliveriesOf(event: TriggeredEvent, judgement: Judgement): Delivered[] {
  return deliveredBy(event, judgement).map(({ channel, provider, to }) => ({ channel, provider, at: to }));
}

function deliveredBy(event: TriggeredEvent, { steps }: Judgement): Success[] {
  return steps.flatMap(({ job, verdict }) => {
    const at = job.updatedAt ?? event.updatedAt ?? event.createdAt;
    if (!isDelivered(verdict) || job.status !== 'completed' || !isDelivery(job) || at === null) return [];
    return [
      { workflow: event.workflow?.identifier ?? null, channel: job.type, provider: job.provider, from: at, to: at },
    ];
  });
}
