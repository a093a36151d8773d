/** What the forms of an application's credentials have in common. */
import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../../audit/events.ts';
import type { Visit } from '../../../sign-in/visit/area.ts';
import { redirectTo } from '../../../pages/frame/render.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { Change } from '../application/application-form.ts';
import type { CredentialsDone, CredentialsPageProps } from './credentials.tsx';

/** What the page shows in addition to the stored application. */
export interface CredentialsState extends Partial<
  Omit<CredentialsPageProps, 'frame' | 'application' | 'addSecretHidden' | 'now'>
> {
  readonly status?: number;
}

export interface CredentialsChangeOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly find: (visit: Visit) => Promise<OwnedApplication | undefined>;
  readonly showPage: (visit: Visit, application: OwnedApplication, state: CredentialsState) => void;
}

export type CredentialsChange = Change<CredentialsChangeOptions>;

export function redirectToCredentials({ ctx }: Visit, clientId: string, done: CredentialsDone): void {
  redirectTo(ctx, pagePaths.applicationCredentials(clientId), done);
}
