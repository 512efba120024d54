export type Guard = <Result>(step: () => Promise<Result>) => Promise<Result>;

export const unguarded: Guard = (step) => step();

class Death extends Error {
  override readonly name = 'Death';
}

/** Creates a life that ends before its `n`th step, which is also after the one before. All later steps throw, too. */
export function mortal(n: number) {
  let steps = 0;
  const guard: Guard = async (step) => {
    steps += 1;
    if (steps >= n) throw new Death();
    return step();
  };
  return {
    guard,
    isOver: () => steps >= n,
    /** Ignores the error that the end of this life has caused; throws any other. */
    mourn: (error: unknown) => {
      if (!(error instanceof Death)) throw error;
    },
  };
}

/** Returns the port with each of its functions as a step. What a function builds up is a step when it's awaited. */
export function withGuard<Port extends object>(port: Port, guard: Guard): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (!BUILDERS.has(name)) return guard(() => Reflect.apply(member, target, given));
        return built(Reflect.apply(member, target, given), guard);
      };
    },
  });
}

const BUILDERS: ReadonlySet<string | symbol> = new Set(['select', 'selectDistinct', 'insert', 'update', 'delete']);

function built(builder: object, guard: Guard): object {
  return new Proxy(builder, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name === 'then')
        return (...given: Parameters<Promise<unknown>['then']>) =>
          guard(() => new Promise((...settle) => Reflect.apply(member, target, settle))).then(...given);
      return (...given: unknown[]) => {
        const next: unknown = Reflect.apply(member, target, given);
        return typeof next === 'object' && next !== null ? built(next, guard) : next;
      };
    },
  });
}
