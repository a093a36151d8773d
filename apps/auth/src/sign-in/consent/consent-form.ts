import { FormRefused } from '../../pages/http/form.ts';
import type { Form } from '../../pages/http/form.ts';
import type { RequestedScope } from '@linnet/applications/requested-scope';
import { readDuration } from '../../pages/http/duration-field.ts';
import type { Duration } from '@linnet/applications/grant-duration';
import { decisionField } from './consent-page.tsx';

export type Decision =
  | { readonly kind: 'allow'; readonly scopes: readonly string[]; readonly duration: Duration }
  | { readonly kind: 'deny' }
  | { readonly kind: 'switch-account' };

/**
 * Grants the required scopes and the optional ones that are ticked, and never one that was not requested.
 * @throws FormRefused for a form that none of our pages sends.
 */
export function readDecision(form: Form, requested: readonly RequestedScope[]): Decision {
  const kind = form.text(decisionField);
  if (kind === 'deny' || kind === 'switch-account') return { kind };
  if (kind !== 'allow') throw new FormRefused(400, `Unknown decision ${JSON.stringify(kind)}.`);
  const ticked = form.all('scope');
  const granted = requested.filter(({ scope, isOptional }) => !isOptional || ticked.includes(scope));
  return { kind, scopes: granted.map(({ scope }) => scope), duration: readDuration(form) };
}
