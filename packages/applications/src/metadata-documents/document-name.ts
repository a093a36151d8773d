/** The name of a client with a metadata document. */
import type { NameRules } from '@linnet/accounts/names/name-rules';
import type { Queryable } from '@linnet/db/statement/transaction';

import { checkApplicationName } from '../application/application-name.ts';
import { ApplicationRefused } from '../application/application.ts';

const maxNameLength = 60;

/** What people see if the document has no acceptable name. The end of a host says whose it is. */
export function toHostName(clientUrl: string): string {
  const { host } = new URL(clientUrl);
  return host.length <= maxNameLength ? host : `…${host.slice(1 - maxNameLength)}`;
}

interface NameChoice {
  readonly requested: string;
  /** The stored one. */
  readonly known: string | undefined;
  readonly rules: NameRules;
}

/** Nobody can correct a document for this service alone, so a name that is refused here gives way to the host. */
export async function chooseName(
  tx: Queryable,
  clientUrl: string,
  { requested, known, rules }: NameChoice,
): Promise<string> {
  const host = toHostName(clientUrl);
  if (requested === known || requested === host) return requested;
  try {
    await checkApplicationName(tx, { name: requested, ownerId: null }, { ...rules, isNamedByOwner: true });
    return requested;
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return host;
  }
}
