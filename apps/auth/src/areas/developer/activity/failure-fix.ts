/** Where a developer can fix the cause of a failed request. */
import type { FailureCause, TokenCause } from '@linnet/applications/failures/causes';
import { protocolSettings } from '@linnet/applications/settings/protocol-settings';
import type { SettingKey } from '@linnet/applications/settings/protocol-settings';
import type { ListedFailure } from '@linnet/applications/failures/failure-store';
import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';

import type { Frame } from '../../../pages/frame/frame.ts';
import { choiceId } from '../../../pages/views/choice.tsx';
import { fieldId } from '../../../pages/views/field.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';

type Field = 'redirect_uris' | 'scope';

/** A setting, a section of the credentials, or a guide. */
type Place =
  | { readonly field: Field }
  | { readonly setting: SettingKey }
  | { readonly section: 'secrets' | 'keys' }
  | { readonly guide: string };

const redirectUris: Place = { field: 'redirect_uris' };
const scope: Place = { field: 'scope' };
const secrets: Place = { section: 'secrets' };
const keys: Place = { section: 'keys' };
const signIn: Place = { guide: 'sign-in' };
const tokens: Place = { guide: 'tokens' };
const devices: Place = { guide: 'devices' };
const scopes: Place = { guide: 'scopes' };
const dpop: Place = { guide: 'dpop' };
const pushedRequests: Place = { guide: 'pushed-requests' };
const errors: Place = { guide: 'errors' };

const places: Readonly<Record<FailureCause | TokenCause, Place>> = {
  redirect_uri_missing: signIn,
  redirect_uri_none: redirectUris,
  redirect_uri_unregistered: redirectUris,
  redirect_uri_changed: signIn,
  logout_uri_unregistered: { setting: 'postLogoutRedirectUris' },
  secret_missing: { guide: 'backend' },
  secret_wrong: secrets,
  secret_expected: keys,
  secret_unexpected: signIn,
  assertion_expected: keys,
  assertion_rejected: pushedRequests,
  secret_expired: secrets,
  code_unknown: signIn,
  code_expired: signIn,
  code_used: signIn,
  code_foreign: signIn,
  code_grant_ended: tokens,
  code_rejected: signIn,
  device_code_unknown: devices,
  device_code_expired: devices,
  device_code_used: devices,
  device_code_foreign: devices,
  device_slow_down: devices,
  refresh_token_unknown: tokens,
  refresh_token_expired: tokens,
  refresh_token_used: tokens,
  refresh_token_foreign: tokens,
  refresh_token_grant_ended: tokens,
  refresh_token_rejected: tokens,
  challenge_missing: signIn,
  challenge_method: signIn,
  challenge_malformed: signIn,
  verifier_missing: signIn,
  verifier_wrong: signIn,
  verifier_unexpected: signIn,
  scope_unknown: scopes,
  scope_unregistered: scope,
  scope_not_granted: scopes,
  scope_ignored: scopes,
  person_denied: signIn,
  login_required: signIn,
  consent_required: signIn,
  logout_undelivered: { setting: 'backchannelLogoutUri' },
  grant_type_off: { setting: 'grantTypes' },
  grant_type_unknown: tokens,
  response_type_unknown: signIn,
  pushed_request_required: { setting: 'requirePushedAuthorizationRequests' },
  pushed_request_unknown: pushedRequests,
  dpop_required: { setting: 'dpopBoundAccessTokens' },
  dpop_other_key: dpop,
  dpop_rejected: dpop,
  parameter_missing: signIn,
  parameter_repeated: signIn,
  body_too_large: errors,
  request_rejected: errors,
  token_expired: tokens,
  token_revoked: tokens,
};

interface FixLink {
  readonly href: string;
  readonly text: string;
}

/** The link that helps most. */
export function findFix(frame: Frame, clientId: string, failure: Pick<ListedFailure, 'cause' | 'error'>): FixLink {
  const { cause, error } = failure;
  const { developer, problems } = frame.messages;
  if (cause !== undefined) return toLink(frame, clientId, places[cause]);
  if (error === 'insufficient_scope') return toLink(frame, clientId, scope);
  if (error === 'rate-limited') {
    return { href: `${pagePaths.applicationUsage(clientId)}#limits`, text: developer.limits.title };
  }
  if (isErrorCode(error)) return { href: pagePaths.problem(error), text: problems.remedy };
  return toLink(frame, clientId, errors);
}

export function isErrorCode(error: string): error is ErrorCode {
  return Object.hasOwn(errorCatalogue, error);
}

function toLink({ messages }: Frame, clientId: string, place: Place): FixLink {
  const { form, settings, secrets: secretTexts, authentication } = messages.developer;
  if ('guide' in place) return { href: pagePaths.guide(place.guide), text: messages.guides.read };
  if ('section' in place) {
    const text = place.section === 'secrets' ? secretTexts.title : authentication.keysTitle;
    return { href: `${pagePaths.applicationCredentials(clientId)}#${place.section}`, text };
  }
  const page = pagePaths.applicationSettings(clientId);
  if ('field' in place) {
    const text = place.field === 'scope' ? form.scope : form.redirectUris;
    return { href: `${page}#${fieldId(place.field)}`, text };
  }
  const { name, input } = protocolSettings[place.setting];
  const id = input === 'flag' ? choiceId(name, 'yes') : fieldId(name);
  return { href: `${page}#${id}`, text: settings.texts[place.setting].label };
}
