/** Rows as objects of the admin API. */
import type { AccountSession } from '@linnet/accounts/account-sessions-store';
import type { FoundAccount } from '@linnet/accounts/account-search-store';
import type { PersonFacts } from '@linnet/accounts/operators/person-store';
import type { RegistrationBlock } from '@linnet/accounts/registrations/block-store';
import type { Invitation } from '@linnet/accounts/registrations/invitation-store';
import type { RegistrationRequest } from '@linnet/accounts/registrations/request-store';
import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import type { Application } from '@linnet/applications/application/application-store';
import type { ConnectedApplication } from '@linnet/applications/grants/connected-applications-store';
import type { FollowedEvent } from '@linnet/audit/audit-search-store';
import type { ListedKey } from '@linnet/keys/key-list-store';
import type { CaseWithReports, ReportCase } from '@linnet/social/report/report-queue-store';

function toTime(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null;
}

export function toListedAccount(one: FoundAccount) {
  const { id, username, displayName, email, state, isVerified, isEmailConfirmed, isOperator, mark, createdAt } = one;
  const flags = { verified: isVerified, email_confirmed: isEmailConfirmed, operator: isOperator };
  return { id, username, display_name: displayName, email, state, ...flags, mark, created_at: createdAt.toISOString() };
}

export function toAccount(one: PersonFacts) {
  const { suspendedAt, deletedAt, operatorSince } = one;
  const seen = one.limitedAt === null ? 'active' : 'limited';
  const notDeleted = suspendedAt === null ? seen : 'suspended';
  const state = deletedAt === null ? notDeleted : 'deleted';
  return {
    ...toListedAccount({ ...one, state, isOperator: operatorSince !== null }),
    protected: one.isProtected,
    limited_at: toTime(one.limitedAt),
    suspended_at: toTime(suspendedAt),
    shown_reason: one.suspensionReason,
    appeal: one.appeal,
    appealed_at: toTime(one.appealedAt),
    deleted_at: toTime(deletedAt),
    posts: one.posts,
    followers: one.followers,
    applications: one.applications,
    second_factor: one.passkeys > 0 || one.hasAuthenticatorApp,
    invited_by: one.invitedBy,
    invited: one.invited,
  };
}

export function toSession({ uid, userAgent, address, signedInAt, lastSeenAt }: AccountSession) {
  const times = { signed_in_at: signedInAt.toISOString(), last_seen_at: lastSeenAt.toISOString() };
  return { uid, user_agent: userAgent, address, ...times };
}

export function toGrant({ clientId, name, scopes, connectedAt, lastUsedAt }: ConnectedApplication) {
  const scope = scopes.map((one) => one.scope).join(' ');
  const times = { connected_at: connectedAt.toISOString(), last_used_at: toTime(lastUsedAt) };
  return { client_id: clientId, name, scope, ...times };
}

export function toRegistration(one: RegistrationRequest) {
  const { id, username, displayName, email, reason, clientId, mark, createdAt } = one;
  const origin = { reason, client_id: clientId, mark, created_at: createdAt.toISOString() };
  return { id, username, display_name: displayName, email, ...origin };
}

export function toBlock({ id, kind, value, act, note, expiresAt, hasEnded, createdAt }: RegistrationBlock) {
  const times = { until: toTime(expiresAt), ended: hasEnded, created_at: createdAt.toISOString() };
  return { id, kind, value, act, note, ...times };
}

export function toInvitation({ id, owner, note, uses, maxUses, createdAt, expiresAt }: Invitation) {
  const times = { created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
  return { id, owner, note, uses, max_uses: maxUses, ...times };
}

export function toSigningKey({ kid, alg, state, created }: ListedKey) {
  return { kid, alg, state, created_at: created };
}

export function toListedCase(one: ReportCase) {
  const { id, type, subjectId, accountId, username, exists, reports, reasons, content, outcome, rule } = one;
  return {
    ...{
      id,
      type,
      subject_id: subjectId,
      account_id: accountId,
      username,
      exists,
      reports,
      reasons,
      content,
      outcome,
      rule,
    },
    ...{ created_at: one.createdAt.toISOString(), latest_at: one.latestAt.toISOString() },
  };
}

export function toCase(one: CaseWithReports) {
  const latest = one.latest.map(({ id, reporterId, reason, text, createdAt }) => ({
    ...{ id, reporter_id: reporterId, reason, text, created_at: createdAt.toISOString() },
  }));
  return { ...toListedCase(one), latest };
}

export function toApplication(one: FoundApplication | Application) {
  const { clientId, name, type, owner = null, isSuspended, isPaused, isVerified, createdAt } = one;
  const flags = { suspended: isSuspended, paused: isPaused, verified: isVerified };
  return { client_id: clientId, name, type, owner, ...flags, created_at: createdAt.toISOString() };
}

export function toAuditEvent({ id, at, event, actor, accountId, clientId, requestId, address, detail }: FollowedEvent) {
  const subject = { account_id: accountId, client_id: clientId };
  return { id, at: at.toISOString(), event, actor, ...subject, request_id: requestId, address, detail };
}
