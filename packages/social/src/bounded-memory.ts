/** Remembers values within a bound in bytes. Those that were added first are dropped first. */
export interface BoundedMemory<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  /** `bytes`: about how much memory the value takes, without the entry itself. */
  readonly add: (key: Key, value: Value, bytes: number) => void;
}

/** Memory of an entry and the headers of its strings, roughly. */
const bytesPerEntry = 200;

export function createBoundedMemory<Key, Value>(maxBytes: number): BoundedMemory<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  return {
    get: (key) => entries.get(key)?.value,
    add: (key, value, bytes) => {
      if (entries.has(key)) return;
      entries.set(key, { value, bytes: bytes + bytesPerEntry });
      total += bytes + bytesPerEntry;
      for (const [oldest, dropped] of entries) {
        if (total <= maxBytes) break;
        entries.delete(oldest);
        total -= dropped.bytes;
      }
    },
  };
}
