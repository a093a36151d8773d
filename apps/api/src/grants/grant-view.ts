import { toCreated } from '@linnet/social/view-context';

export interface GrantRow {
  readonly grantNumber: number;
  readonly kind: 'consent' | 'act_as_owner';
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly isCurrent: boolean;
  readonly createdAt: Date;
  readonly endsAt: Date | null;
}

/** The JSON form of a grant. */
export function toGrant({ grantNumber, kind, clientId, scopes, isCurrent, createdAt, endsAt }: GrantRow) {
  return {
    id: grantNumber,
    kind,
    client_id: clientId,
    scope: scopes.join(' '),
    current: isCurrent,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
    ...(endsAt === null ? {} : { ends: toCreated(endsAt), ends_at: endsAt.toISOString() }),
  };
}
