import type { FailureCause, TokenCause } from '@linnet/applications/failures/causes';

/** By cause: what happened, and what the developer can do about it. */
export type FailureTexts = Readonly<
  Record<FailureCause | TokenCause, { readonly cause: string; readonly fix: string }>
>;
