import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that components can watch. */
export interface Cell<Value> {
  get(): Value;
  set(value: Value): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

export function createCell<Value>(initial: Value): Cell<Value> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of `cell`; the component renders again whenever it changes. */
export function useCell<Value>(cell: Cell<Value>): Value {
  const [, render] = useState(0);
  useLayoutEffect(() => cell.subscribe(() => render((count) => count + 1)), [cell]);
  return cell.get();
}
