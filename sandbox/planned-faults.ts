/** The faults that the next calls of a name get, in the order in which they were planned. */
export class PlannedFaults<Name extends string, Fault> {
  #planned: readonly { name: Name; fault: Fault; callsLeft: number }[] = [];

  /** Returns a function that removes only this fault. */
  plan(name: Name, fault: Fault, calls: number): () => void {
    const planned = { name, fault, callsLeft: calls };
    this.#planned = [...this.#planned, planned];
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
  }

  /** Returns the next fault of the first name that has one. */
  takeFor(...names: readonly Name[]): Fault | undefined {
    const [planned] = names.flatMap((name) => this.#planned.find((each) => each.name === name) ?? []);
    if (planned !== undefined) planned.callsLeft -= 1;
    this.#planned = this.#planned.filter(({ callsLeft }) => callsLeft > 0);
    return planned?.fault;
  }

  clear(): void {
    this.#planned = [];
  }
}
