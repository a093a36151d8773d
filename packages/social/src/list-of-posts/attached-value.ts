/** A value that belongs to an object. Copies of the object and JSON leave it out. */
export interface AttachedValue<Holder extends object, Value> {
  readonly get: (holder: Holder) => Value | undefined;
  readonly set: (holder: Holder, value: Value) => void;
}

/**
 * Does what a WeakMap does, as a property of the object. Once a WeakMap is in V8's old generation, quick collections of garbage keep all values that
 * it holds, also those of unreachable objects, and move them there as well.
 */
export function createAttachedValue<Holder extends object, Value>(name: string): AttachedValue<Holder, Value> {
  const key = Symbol(name);
  return {
    get: (holder) => (holder as { readonly [key]?: Value })[key], // only `set` writes it
    set: (holder, value) => void Object.defineProperty(holder, key, { value, configurable: true }),
  };
}
