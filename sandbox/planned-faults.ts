/** Faults to inject into the next calls of a name. */
export class PlannedFaults<Name extends string, Fault> {
  #planned: readonly { name: Name; fault: Fault; left: number }[] = [];

  /** The returned function removes only this one. */
  plan(name: Name, fault: Fault, calls: number): () => void {
    const planned = { name, fault, left: calls };
    this.#planned = [...this.#planned, planned];
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
  }

  /** The first name for which something is planned counts. */
  takeFor(...names: readonly Name[]): Fault | undefined {
    const [planned] = names.flatMap((name) => this.#planned.find((each) => each.name === name) ?? []);
    if (planned !== undefined) planned.left -= 1;
    this.#planned = this.#planned.filter(({ left }) => left > 0);
    return planned?.fault;
  }

  clear(): void {
    this.#planned = [];
  }
}
