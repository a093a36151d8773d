import { randomInt } from 'node:crypto';

/** `epoch`: tokens with a lower epoch are revoked; `everyEpoch`: all tokens. */
export interface Entry {
  readonly epoch: number;
  /** Whole seconds of the clock that `sweep` is called with. */
  readonly expiresAt: number;
}

/** Higher than every epoch. */
export const everyEpoch = 2 ** 31 - 1;

const initialSlots = 1024;
/** A fuller table has long chains. */
const maxLoad = 0.6;
/** Slots that one turn of the event loop copies: about a millisecond. */
const slotsPerTurn = 2 ** 15;

/**
 * A map from ids to entries for millions of ids: an open-addressing hash table in typed arrays, 16 bytes a slot. It keeps
 * 64 bits of a hash with a random seed instead of the id. With two million entries, one look-up in 10^13 finds an entry
 * of another id, and so rejects a valid token.
 */
export class RevocationTable {
  readonly #seed = randomInt(2 ** 32);
  #slots = new Slots(initialSlots);
  /** The table that `sweep` is filling. */
  #next: Slots | undefined;

  get size(): number {
    return this.#slots.size;
  }

  set(id: string, { epoch, expiresAt }: Entry): void {
    const [high, low] = hash(id, this.#seed);
    this.#slots = withRoom(this.#slots);
    this.#slots.set(high, low, epoch, expiresAt);
    if (this.#next === undefined) return;
    this.#next = withRoom(this.#next);
    this.#next.set(high, low, epoch, expiresAt);
  }

  /** The epoch of the entry, or undefined. */
  get(id: string): number | undefined {
    if (this.#slots.size === 0) return undefined;
    const [high, low] = hash(id, this.#seed);
    return this.#slots.get(high, low);
  }

  /** Removes the entries that expired before `now`, in many turns of the event loop. One sweep at a time. */
  async sweep(now: number): Promise<void> {
    if (this.#next !== undefined || this.#slots.size === 0) return;
    this.#next = new Slots(initialSlots);
    let old = this.#slots;
    for (let from = 0; from < old.length; from += slotsPerTurn) {
      this.#next = copy(old, this.#next, { from, now });
      await new Promise((resolve) => setImmediate(resolve));
      // `set` may have replaced the table by a larger one, which is then copied from its start.
      if (this.#slots !== old) [old, from] = [this.#slots, -slotsPerTurn];
    }
    this.#slots = this.#next;
    this.#next = undefined;
  }
}

interface CopyRange {
  readonly from: number;
  readonly now: number;
}

/** Copies the entries of `slotsPerTurn` slots, unless `into` already has newer ones. */
function copy(old: Slots, into: Slots, { from, now }: CopyRange): Slots {
  let target = into;
  for (let slot = from; slot < Math.min(old.length, from + slotsPerTurn); slot += 1) {
    const entry = old.read(slot);
    if (entry === undefined || entry.expiresAt < now || target.get(entry.high, entry.low) !== undefined) continue;
    target = withRoom(target);
    target.set(entry.high, entry.low, entry.epoch, entry.expiresAt);
  }
  return target;
}

/** Returns a table with room for one more entry. */
function withRoom(slots: Slots): Slots {
  if (slots.size < slots.length * maxLoad) return slots;
  const larger = new Slots(slots.length * 2);
  for (let slot = 0; slot < slots.length; slot += 1) {
    const entry = slots.read(slot);
    if (entry !== undefined) larger.set(entry.high, entry.low, entry.epoch, entry.expiresAt);
  }
  return larger;
}

/** Slots in which `expiresAt` is 0 are empty. */
class Slots {
  readonly length: number;
  readonly #hashes: Uint32Array;
  readonly #epochs: Int32Array;
  readonly #expiries: Uint32Array;
  #size = 0;

  /** @param length a power of two */
  constructor(length: number) {
    this.length = length;
    this.#hashes = new Uint32Array(2 * length);
    this.#epochs = new Int32Array(length);
    this.#expiries = new Uint32Array(length);
  }

  get size(): number {
    return this.#size;
  }

  // oxlint-disable-next-line eslint/max-params -- an object for each call would cost more than the call
  set(high: number, low: number, epoch: number, expiresAt: number): void {
    const slot = this.#find(high, low);
    if (this.#expiries[slot] === 0) this.#size += 1;
    this.#hashes[2 * slot] = high;
    this.#hashes[2 * slot + 1] = low;
    this.#epochs[slot] = epoch;
    this.#expiries[slot] = Math.max(1, expiresAt);
  }

  get(high: number, low: number): number | undefined {
    const slot = this.#find(high, low);
    return this.#expiries[slot] === 0 ? undefined : this.#epochs[slot];
  }

  read(slot: number): (Entry & { readonly high: number; readonly low: number }) | undefined {
    const expiresAt = this.#expiries[slot] ?? 0;
    if (expiresAt === 0) return undefined;
    const [high = 0, low = 0] = [this.#hashes[2 * slot], this.#hashes[2 * slot + 1]];
    return { high, low, epoch: this.#epochs[slot] ?? 0, expiresAt };
  }

  /** The slot of the hash, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    const mask = this.length - 1;
    let slot = low & mask;
    while (this.#expiries[slot] !== 0 && (this.#hashes[2 * slot] !== high || this.#hashes[2 * slot + 1] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
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
