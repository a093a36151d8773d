import type { Application, OwnedApplication } from '@linnet/applications/application/application-store';
import { applicationTypes } from '@linnet/applications/application/application-type';
import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { MyApplications } from '@linnet/applications/my-applications';
import { toTexts } from '@linnet/applications/settings/protocol-settings';
import type { Settings } from '@linnet/applications/settings/settings';

import type { Form } from '../../../pages/form/form.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { readSettingTexts, readSubmittedSettings } from '../settings/setting-form.ts';
import type { ApplicationValues } from './application-fields.tsx';
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

/** Values of the hidden field `action`, which says which form of an application's page was sent. */
export const applicationActions = {
  save: 'save',
  addSecret: 'add-secret',
  /** With the field `secret`, the id, and a field for the name. */
  renameSecret: 'rename-secret',
  /** With the field `secret`, the id. */
  retireSecret: 'retire-secret',
  /** With the field `keys`, a URL or a JWK Set. */
  setKeys: 'set-keys',
  setSecret: 'set-secret',
  /** Successful requests are listed for some minutes, or no longer. */
  watch: 'watch',
  unwatch: 'unwatch',
  pause: 'pause',
  resume: 'resume',
  /** With the field `confirm`, the name. */
  delete: 'delete',
} as const;

/** What the forms of an application's pages have in common. */
export interface Submission {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: OwnedApplication;
}

/** Validates and carries out a form, and redirects. */
export type Change<Options> = (options: Options, submission: Submission) => Promise<void>;

/** The application of the page, if the person owns it. */
type FindOwned = (visit: Visit) => Promise<OwnedApplication | undefined>;

export type PageWithForms = AreaPage & Required<Pick<AreaPage, 'forms'>>;

type FormRow<Options> = readonly [action: string, stepUp: AreaForm['stepUp'], change: Change<Options>];

/** The forms by their field `action`. Other people's applications are not found. */
export function toForms<Options extends { readonly find: FindOwned }>(
  options: Options,
  rows: readonly FormRow<Options>[],
): Readonly<Record<string, AreaForm>> {
  const toForm = (stepUp: AreaForm['stepUp'], change: Change<Options>): AreaForm => ({
    stepUp,
    act: async (visit, form) => {
      const application = await options.find(visit);
      if (application !== undefined) await change(options, { visit, form, application });
    },
  });
  return Object.fromEntries(rows.map(([action, stepUp, change]) => [action, toForm(stepUp, change)]));
}

/** The application in the visit's path; undefined unless the signed-in account owns it (checklist DV2). */
export async function findOwned(
  applications: Pick<MyApplications, 'find'>,
  { session, param }: Pick<Visit, 'session' | 'param'>,
): Promise<OwnedApplication | undefined> {
  return await applications.find({ ownerId: session.accountId, clientId: param('clientId') });
}
