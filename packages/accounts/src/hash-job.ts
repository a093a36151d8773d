/** What `hash-thread.ts` is asked. */
export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: HashCost }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** What it answers. */
export interface HashAnswer {
  readonly hash?: string;
  readonly isRight?: boolean;
  readonly problem?: string;
}
