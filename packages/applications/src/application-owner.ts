import { ApplicationRefused } from './application.ts';
import { findApplication, findOwnerId } from './application-store.ts';
import type { ApplicationDatabase } from './application-store.ts';

/** @throws ApplicationRefused if the application exists and has no owner */
export async function requireOwner(db: ApplicationDatabase, clientId: string): Promise<void> {
  const application = await findApplication(db, clientId);
  if (application === undefined || application.owner !== undefined) return;
  throw refuseOwnerless('Nobody registered the application, so it has no owner to verify.');
}

export function refuseOwnerless(message: string): ApplicationRefused {
  return new ApplicationRefused({ field: 'owner', problem: 'unknown', value: '' }, message);
}

/** The id of an account by its username. @throws ApplicationRefused if there is none */
export async function getOwnerId(db: ApplicationDatabase, owner: string): Promise<number> {
  const id = await findOwnerId(db, owner);
  if (id !== undefined) return id;
  throw new ApplicationRefused(
    { field: 'owner', problem: 'unknown', value: owner },
    `There is no account with the username ${JSON.stringify(owner)}.`,
  );
}
