import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { OwnedSecret } from '@linnet/applications/secrets/secret-advice';

import type { ApplicationHeader } from '../../application/application-layout.tsx';

/** An application, and how it authenticates. */
export interface OwnCredentials extends ApplicationHeader {
  readonly type: ApplicationType;
  /** Active secrets, oldest first. */
  readonly secrets: readonly OwnedSecret[];
  /** Recently expired secrets, oldest first. */
  readonly expiredSecrets?: readonly OwnedSecret[];
  /** It authenticates with registered keys or a key set URL, and therefore has no secrets. */
  readonly hasOwnKeys?: boolean;
  /** The URL of its key set, if it has one. */
  readonly jwksUri?: string | undefined;
}

type Authentication = 'secret' | 'keys' | 'none';

/** `none`: public and native applications do not authenticate. */
export function findAuthentication({ type, hasOwnKeys = false, jwksUri }: OwnCredentials): Authentication {
  if (type !== 'confidential') return 'none';
  return hasOwnKeys || jwksUri !== undefined ? 'keys' : 'secret';
}
