import { FormRefused, readScopesField, durationField, findDuration } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import type { EarlierConsent } from '@linnet/applications/grants/earlier-consent-store';
import type { Consent } from '../../protocol/authorize/interaction.ts';
import type { ConsentDuration } from '../../protocol/grant/consent-grant.ts';
import { decisionField, defaultDuration, earlierDuration } from './consent-page.tsx';

export type Decision =
  | ({ readonly kind: 'allow' } & Consent)
  /** The earlier consent, whose expiry the person chose, has expired. */
  | { readonly kind: 'ask-again' }
  | { readonly kind: 'deny' }
  | { readonly kind: 'switch-account' };

interface Question {
  readonly scopes: readonly RequestedScope[];
  readonly earlier?: EarlierConsent | undefined;
  readonly isAgent: boolean;
}

/**
 * Grants the required scopes and the optional ones that are ticked, and never one that was not requested.
 * @throws FormRefused for a form that none of our pages sends.
 */
export function readDecision(form: Form, question: Question): Decision {
  const { scopes: requested, earlier } = question;
  const kind = form.text(decisionField);
  if (kind === 'deny' || kind === 'switch-account') return { kind };
  if (kind !== 'allow') throw new FormRefused(400, `Unknown decision ${JSON.stringify(kind)}.`);
  const ticked = form.all('scope');
  const granted = requested.filter(({ scope, isOptional }) => !isOptional || ticked.includes(scope));
  const duration = readConsentDuration(form, question);
  if (duration === 'earlier' && earlier?.endsAt === undefined) return { kind: 'ask-again' };
  return { kind, scopes: granted.map(({ scope }) => scope), shownEarlier: readScopesField(form), duration };
}

/** A form without the field keeps the earlier expiry. Without an earlier consent it means the preselected one. */
function readConsentDuration(form: Form, { earlier, isAgent }: Question): ConsentDuration {
  if (form.text(durationField) === earlierDuration) return earlierDuration;
  const unchanged = earlier?.endsAt === undefined ? defaultDuration(isAgent && earlier === undefined) : earlierDuration;
  return findDuration(form) ?? unchanged;
}
