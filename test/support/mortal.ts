/** Runs a step or prevents it. */
export type Guard = <Result>(step: () => Promise<Result>) => Promise<Result>;

export const unguarded: Guard = (step) => step();

/** Simulates the end of a process. */
class Death extends Error {
  override readonly name = 'Death';
}

/** Creates a life that ends at its `n`th moment. Each step has two: before and after it. Afterwards all steps throw. */
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
