/** Runs a step, or keeps it from happening. */
export type Guard = <Result>(step: () => Promise<Result>) => Promise<Result>;

export const unguarded: Guard = (step) => step();

/** The end of a process, in a process that goes on. */
class Death extends Error {
  override readonly name = 'Death';
}

/** A life that ends at its `n`th moment: before or after a step, each counts. From then on nothing happens now. */
export function mortal(n: number) {
  let moments = 0;
  const lives = () => {
    moments += 1;
    if (moments >= n) throw new Death();
  };
  const guard: Guard = async (step) => {
    lives();
    const result = await step();
    lives();
    return result;
  };
  return {
    guard,
    isOver: () => moments >= n,
    /** Takes the error that the end of this life has led to; throws any other. */
    mourn: (error: unknown) => {
      if (!(error instanceof Death)) throw error;
    },
  };
}

/** The same port, each of whose functions is a step. */
export function withGuard<Port extends object>(port: Port, guard: Guard): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? (...args: unknown[]) => guard(() => Reflect.apply(own, target, args)) : own;
    },
  });
}
