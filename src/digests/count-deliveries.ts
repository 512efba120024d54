import type { Publisher } from './deliver.ts';

export type CountDelivery = (act: 'post' | 'edit' | 'find', outcome: string) => void;

export function countDeliveries(publisher: Publisher, count: CountDelivery): Publisher {
  return {
    post: async (...arguments_) => {
      const outcome = await publisher.post(...arguments_);
      count('post', outcome.outcome);
      return outcome;
    },
    edit: async (...arguments_) => {
      const outcome = await publisher.edit(...arguments_);
      count('edit', outcome.outcome);
      return outcome;
    },
    find: async (...arguments_) => {
      const lookup = await publisher.find(...arguments_);
      count('find', lookup.found);
      return lookup;
    },
  };
}
