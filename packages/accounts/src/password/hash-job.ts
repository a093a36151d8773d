/** A request to `hash-thread.ts`. */
export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: HashCost }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

interface HashCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Its response; `problem` describes an error that was thrown. */
export type HashResult =
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'verify'; readonly isCorrect: boolean }
  | { readonly kind: 'problem'; readonly problem: string };
