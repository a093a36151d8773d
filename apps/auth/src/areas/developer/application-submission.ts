/** What the forms of an application's overview have in common. */
import type { OwnedApplication } from '@linnet/applications/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { Visit } from '../../sign-in/visit/area.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationDone, ApplicationPageProps } from './application-page.tsx';

/** What the page shows in addition to the stored application. */
export interface PageState extends Partial<
  Omit<
    ApplicationPageProps,
    'frame' | 'baseUrl' | 'application' | 'addSecretHidden' | 'now' | 'usageSummary' | 'recentFailures'
  >
> {
  readonly status?: number;
}

export interface ChangeOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  /** The application of the page, if the person owns it. */
  readonly find: (visit: Visit) => Promise<OwnedApplication | undefined>;
  readonly showPage: (visit: Visit, application: OwnedApplication, state: PageState) => Promise<void>;
}

export interface Submission {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: OwnedApplication;
}

export type Change = (options: ChangeOptions, submission: Submission) => Promise<void>;

export function redirectToPage({ ctx }: Visit, clientId: string, done: ApplicationDone): void {
  redirectTo(ctx, pagePaths.application(clientId), done);
}
