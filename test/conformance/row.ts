import type { World } from './world.ts';

/** Proves one sentence of the specification. */
export type Proof = (world: World) => Promise<void>;

/**
 * Proofs under a heading of the specification, each under the beginning of its sentence: long enough
 * to be the only one there.
 */
export type Rows = Readonly<Record<string, Readonly<Record<string, Proof>>>>;
