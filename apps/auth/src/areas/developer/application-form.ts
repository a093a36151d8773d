import type { Application } from '@linnet/applications/application/application-store';
import { applicationTypes } from '@linnet/applications/application/application-type';
import type { ApplicationType } from '@linnet/applications/application/application-type';
import { toTexts } from '@linnet/applications/settings/protocol-settings';
import type { Settings } from '@linnet/applications/settings/settings';
import type { Form } from '../../pages/form/form.ts';
import type { ApplicationValues } from './application-fields.tsx';
import { readSettingTexts, readSubmittedSettings } from './setting-form.ts';
import { newScopeValues, readScopeSettings, readScopeValues } from './scope-fields.tsx';

/** What a developer chooses; `backend` is a confidential application that signs no one in. */
export const applicationKinds = [...applicationTypes, 'backend'] as const;

export type ApplicationKind = (typeof applicationKinds)[number];

export function typeOf(kind: ApplicationKind): ApplicationType {
  return kind === 'backend' ? 'confidential' : kind;
}

/** Returns undefined if no kind was chosen, or an unknown one. */
export function readKind(form: Form): ApplicationKind | undefined {
  const chosen = form.text('type');
  return applicationKinds.find((kind) => kind === chosen);
}

/** The settings of a new application. The form hides from backends what only sign-in needs. */
export function readNewSettings(form: Form, kind: ApplicationKind): Settings {
  const settings = readSettings(form, typeOf(kind));
  if (kind !== 'backend') return settings;
  const protocol = { ...settings.protocol, grantTypes: ['client_credentials'] };
  return { ...settings, redirectUris: [], implicit: false, protocol };
}

/** Every other field is ignored (checklist AC6). */
export function readSettings(form: Form, type: ApplicationType): Settings {
  return {
    name: form.text('name'),
    redirectUris: form.lines('redirect_uris'),
    ...readScopeSettings(form),
    implicit: form.has('implicit'),
    actAsOwner: form.has('act_as_owner'),
    jwksUri: form.text('jwks_uri'),
    protocol: readSubmittedSettings(form, type),
  };
}

/** The form as typed, for showing it again. */
export function readValues(form: Form, type: ApplicationType): ApplicationValues {
  return {
    name: form.text('name'),
    type,
    redirectUris: form.all('redirect_uris').join('\n'),
    ...readScopeValues(form),
    isImplicit: form.has('implicit'),
    actsAsOwner: form.has('act_as_owner'),
    settings: readSettingTexts(form),
    jwksUri: form.text('jwks_uri'),
  };
}

/** The stored application, for editing. */
export function toValues(application: Application): ApplicationValues {
  const { name, type, redirectUris, scopes, optionalScopes, scopeReasons } = application;
  const { implicit, actAsOwner, jwksUri, protocol } = application;
  return {
    name,
    type,
    redirectUris: redirectUris.join('\n'),
    scopes,
    // Scopes that are not registered get the choice of a new application.
    optionalScopes: [...optionalScopes, ...newScopeValues.optionalScopes.filter((scope) => !scopes.includes(scope))],
    scopeReasons,
    isImplicit: implicit,
    actsAsOwner: actAsOwner,
    settings: toTexts(protocol),
    jwksUri,
  };
}

/** Compares names as a page displays them: normalized, and with white space collapsed. */
export function isNameConfirmed(name: string, typed: string): boolean {
  return asDisplayed(typed) === asDisplayed(name);
}

function asDisplayed(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
