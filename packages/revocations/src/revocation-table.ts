import { randomInt } from 'node:crypto';

/** `epoch`: tokens with a lower epoch are revoked; `everyEpoch`: all tokens. */
export interface Entry {
  readonly epoch: number;
  /** Whole seconds of the clock that `sweep` is called with. */
  readonly expiresAt: number;
}

/** Higher than every epoch. */
export const everyEpoch = 2 ** 31 - 1;

/** Each is copied as a whole when it grows and when it is swept, so that copies are small. A power of two. */
const parts = 256;
const initialSlots = 4;
/** A fuller part has long chains. */
const maxLoad = 0.75;
const growth = 1.25;
/** Slots that a sweep looks at in one turn of the event loop: about a millisecond. */
const slotsPerTurn = 2 ** 15;

/**
 * A map from ids to entries for millions of ids: open-addressing hash tables in typed arrays, 16 bytes a slot and at most 27 an
 * entry. It keeps 64 bits of a hash with a random seed instead of the id. With two million entries, one look-up in 10^13 finds an
 * entry of another id, and so rejects a valid token.
 */
export class RevocationTable {
  readonly #seed = randomInt(2 ** 32);
  readonly #parts: (Slots | undefined)[] = Array.from({ length: parts }, () => undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  set(id: string, { epoch, expiresAt }: Entry): void {
    const [high, low] = hash(id, this.#seed);
    const index = high % parts;
    const part = withRoom(this.#parts[index] ?? new Slots(initialSlots));
    this.#parts[index] = part;
    this.#size -= part.size;
    part.set(high, low, epoch, expiresAt);
    this.#size += part.size;
  }

  /** The epoch of the entry, or undefined. */
  get(id: string): number | undefined {
    if (this.#size === 0) return undefined;
    const [high, low] = hash(id, this.#seed);
    return this.#parts[high % parts]?.get(high, low);
  }

  /** Removes the entries that expired before `now`, in many turns of the event loop. */
  async sweep(now: number): Promise<void> {
    let looked = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (part === undefined) continue;
      const kept = withoutExpired(part, now);
      this.#size += (kept?.size ?? 0) - part.size;
      this.#parts[index] = kept;
      looked += part.length;
      if (looked < slotsPerTurn) continue;
      looked = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Returns a part with room for one more entry. */
function withRoom(slots: Slots): Slots {
  if (slots.size < slots.length * maxLoad) return slots;
  return copy(slots, slots.size + 1, 0);
}

function withoutExpired(slots: Slots, now: number): Slots | undefined {
  const remaining = slots.count(now);
  if (remaining === slots.size) return slots;
  return remaining === 0 ? undefined : copy(slots, remaining, now);
}

/** Copies the entries that have not expired before `now`, with room for `size` and some more. */
function copy(slots: Slots, size: number, now: number): Slots {
  const copied = new Slots(Math.max(initialSlots, Math.ceil((size * growth) / maxLoad)));
  for (let slot = 0; slot < slots.length; slot += 1) slots.copyTo(copied, slot, now);
  return copied;
}

/** Numbers of a slot: the two halves of the hash, the epoch, and `expiresAt`, which is 0 in an empty one. */
const width = 4;

class Slots {
  readonly length: number;
  readonly #numbers: Uint32Array;
  #size = 0;

  constructor(length: number) {
    this.length = length;
    this.#numbers = new Uint32Array(width * length);
  }

  get size(): number {
    return this.#size;
  }

  // oxlint-disable-next-line eslint/max-params -- an object for each call would cost more than the call
  set(high: number, low: number, epoch: number, expiresAt: number): void {
    const at = this.#find(high, low);
    if (this.#numbers[at + 3] === 0) this.#size += 1;
    this.#numbers[at] = high;
    this.#numbers[at + 1] = low;
    this.#numbers[at + 2] = epoch;
    this.#numbers[at + 3] = Math.max(1, expiresAt);
  }

  get(high: number, low: number): number | undefined {
    const at = this.#find(high, low);
    return this.#numbers[at + 3] === 0 ? undefined : this.#numbers[at + 2];
  }

  /** The number of entries that have not expired before `now`. */
  count(now: number): number {
    let count = 0;
    for (let slot = 0; slot < this.length; slot += 1) {
      if (this.#isKept(width * slot, now)) count += 1;
    }
    return count;
  }

  copyTo(other: Slots, slot: number, now: number): void {
    const at = width * slot;
    if (!this.#isKept(at, now)) return;
    const numbers = this.#numbers;
    const [high = 0, low = 0] = [numbers[at], numbers[at + 1]];
    const [epoch = 0, expiresAt = 0] = [numbers[at + 2], numbers[at + 3]];
    other.set(high, low, epoch, expiresAt);
  }

  #isKept(at: number, now: number): boolean {
    const expiresAt = this.#numbers[at + 3] ?? 0;
    return expiresAt !== 0 && expiresAt >= now;
  }

  /** Where the entry with this hash is, or the empty slot where it belongs. */
  #find(high: number, low: number): number {
    const numbers = this.#numbers;
    let at = width * Math.floor((low * this.length) / 2 ** 32);
    while (numbers[at + 3] !== 0 && (numbers[at] !== high || numbers[at + 1] !== low)) {
      at += width;
      if (at === numbers.length) at = 0;
    }
    return at;
  }
}

/** Two 32-bit hashes of the text, after the mixing of MurmurHash3. Not for untrusted ids without a secret seed. */
function hash(text: string, seed: number): readonly [high: number, low: number] {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return [high >>> 0, low >>> 0];
}
