import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { Visit } from '../../sign-in/visit/area.ts';

/** The application in the visit's path; undefined unless the signed-in account owns it (checklist DV2). */
export async function findOwned(
  applications: Pick<MyApplications, 'find'>,
  { session, param }: Pick<Visit, 'session' | 'param'>,
): Promise<OwnedApplication | undefined> {
  return await applications.find({ ownerId: session.accountId, clientId: param('clientId') });
}
