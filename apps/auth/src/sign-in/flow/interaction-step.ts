import type Koa from 'koa';

import type { Form } from '../../pages/form/form.ts';
import type { PendingInteraction } from '../../protocol/authorize/interaction.ts';

/** A request for a page of an interaction that this browser began and that has not ended. */
export interface InteractionRequest {
  readonly ctx: Koa.Context;
  readonly pending: PendingInteraction;
  /** Path of the page that serves the current prompt. */
  readonly path: string;
}

/**
 * Serves one page of an interaction: shows it and handles its form.
 * Both methods may throw InteractionEnded; the dispatcher handles it.
 */
export interface InteractionStep {
  show(request: InteractionRequest): Promise<void>;
  submit(request: InteractionRequest, form: Form): Promise<void>;
}

/** Where a person restarts the authorization request of an interaction, even if the interaction has ended. */
export function restartPath(uid: string): string {
  return `/interaction/${uid}/restart`;
}
