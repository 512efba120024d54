/** Something to wait for until the test opens it. */
interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function newGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
