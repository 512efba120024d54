import type { Publisher } from './deliver.ts';

export type CountDelivery = (act: 'post' | 'edit' | 'find', outcome: string) => void;

export function countDeliveries({ post, edit, find }: Publisher, count: CountDelivery): Publisher {
  const counted = async <Outcome>(
    act: 'post' | 'edit' | 'find',
    outcome: Promise<Outcome>,
    word: (outcome: Outcome) => string,
  ) => {
    count(act, word(await outcome));
    return outcome;
  };
  return {
    post: (...given) => counted('post', post(...given), ({ outcome }) => outcome),
    edit: (...given) => counted('edit', edit(...given), ({ outcome }) => outcome),
    find: (...given) => counted('find', find(...given), ({ found }) => found),
  };
}
