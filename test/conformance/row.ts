import type { World } from './world.ts';

/** Tests one sentence of the specification. */
export type Proof = (world: World) => Promise<void>;

/**
 * Proofs by the heading of the specification, and by the beginning of the sentence, which must be unique under its
 * heading.
 */
export type Rows = Readonly<Record<string, Readonly<Record<string, Proof>>>>;
