/** The hidden field with the granted scopes that a page lists. A new expiry extends no other scope. */
import type { Form } from './form.ts';

const shownScopesField = 'shown_scopes';

/** The hidden field of a form, by name; none if the page lists no scope. */
export function scopesField(scopes: readonly { readonly scope: string }[]): Readonly<Record<string, string>> {
  return scopes.length === 0 ? {} : { [shownScopesField]: scopes.map(({ scope }) => scope).join(' ') };
}

/** Empty for a form without the field. */
export function readScopesField(form: Form): readonly string[] {
  return form
    .text(shownScopesField)
    .split(' ')
    .filter((scope) => scope !== '');
}
