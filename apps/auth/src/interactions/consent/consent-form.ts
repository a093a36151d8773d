import { FormRefused } from '../../http/form.ts';
import type { Form } from '../../http/form.ts';
import { decisionField } from './consent-page.tsx';

/** Scopes that a person may leave out; all others an application gets as a whole or not at all. */
const optional: ReadonlySet<string> = new Set(['email']);

/** The scopes that an application asks for, as the page shows them. */
export function divideScopes(asked: readonly string[]) {
  return {
    requiredScopes: asked.filter((scope) => !optional.has(scope)),
    optionalScopes: asked.filter((scope) => optional.has(scope)),
  };
}

export type Decision =
  | { readonly kind: 'allow'; readonly scopes: readonly string[] }
  | { readonly kind: 'deny' }
  | { readonly kind: 'switch-account' };

/**
 * What the person decided. Of the optional scopes those that are ticked are agreed to, and never any
 * that was not asked for.
 * @throws FormRefused for a form that no page of ours sends.
 */
export function readDecision(form: Form, asked: readonly string[]): Decision {
  const kind = form.text(decisionField);
  if (kind === 'deny' || kind === 'switch-account') return { kind };
  if (kind !== 'allow') throw new FormRefused(400, `There is no decision ${JSON.stringify(kind)}.`);
  const ticked = form.all('scope');
  return { kind, scopes: asked.filter((scope) => !optional.has(scope) || ticked.includes(scope)) };
}
