import { FormRefused } from '../../pages/http/form.ts';
import type { Form } from '../../pages/http/form.ts';
import type { AskedScope } from '@linnet/applications/requested-scope';
import { readDuration } from '../../pages/http/duration.ts';
import type { Duration } from '../../pages/http/duration.ts';
import { decisionField } from './consent-page.tsx';

export type Decision =
  | { readonly kind: 'allow'; readonly scopes: readonly string[]; readonly duration: Duration }
  | { readonly kind: 'deny' }
  | { readonly kind: 'switch-account' };

/**
 * What the person decided. Of the optional scopes those that are ticked are agreed to, and never any
 * that was not asked for.
 * @throws FormRefused for a form that no page of ours sends.
 */
export function readDecision(form: Form, asked: readonly AskedScope[]): Decision {
  const kind = form.text(decisionField);
  if (kind === 'deny' || kind === 'switch-account') return { kind };
  if (kind !== 'allow') throw new FormRefused(400, `There is no decision ${JSON.stringify(kind)}.`);
  const ticked = form.all('scope');
  const agreed = asked.filter(({ scope, isOptional }) => !isOptional || ticked.includes(scope));
  return { kind, scopes: agreed.map(({ scope }) => scope), duration: readDuration(form) };
}
