import type { OwnedApplication } from '@linnet/applications/application/application-store';
import { parseLinks } from '@linnet/applications/application/links';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { FileForm } from '../../pages/form/file-form.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Logos } from '../logos/logos.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { profileActions, profileDone, ProfilePage } from './profile-page.tsx';
import type { ProfilePageProps } from './profile-page.tsx';
import { findOwned } from './owned-application.ts';

interface ProfileOptions {
  readonly applications: Pick<MyApplications, 'find' | 'describe' | 'setLogo' | 'removeLogo'>;
  readonly logos: Logos;
  readonly events: AuthEvents;
}

const maxBytes = 2 * 1024 * 1024;

type PageState = Omit<ProfilePageProps, 'frame' | 'application'>;

function show(
  { ctx, frame }: Visit,
  application: OwnedApplication,
  { status, ...state }: PageState & { status: number },
): void {
  renderPage(ctx, <ProfilePage {...state} {...{ frame, application }} />, { status });
}

/** `/developer/applications/:client_id/appearance`. The form with a file is for the logo. */
export function profileRoute(options: ProfileOptions): AreaPage {
  const { applications } = options;
  const find = async (visit: Visit) => await findOwned(applications, visit);
  return {
    path: `${pagePaths.applications}/applications/:clientId/appearance`,
    show: async (visit) => {
      const application = await find(visit);
      if (application !== undefined) show(visit, application, { status: 200, done: findDone(visit.ctx, profileDone) });
    },
    forms: {
      [profileActions.saveLinks]: {
        stepUp: 'none',
        act: async (visit, form) => {
          const application = await find(visit);
          if (application !== undefined) await saveLinks(options, { visit, form, application });
        },
      },
      [profileActions.removeLogo]: {
        stepUp: 'none',
        act: async (visit) => {
          const application = await find(visit);
          if (application !== undefined) await removeLogo(options, visit, application);
        },
      },
    },
    upload: {
      field: { name: 'logo', maxBytes, directory: options.logos.directory },
      submit: async (visit, form) => {
        const application = await find(visit);
        if (application !== undefined) await upload(options, { visit, form, application });
      },
      rejectTooLong: async (visit) => {
        const application = await find(visit);
        if (application !== undefined) rejectLogo(visit, application, 'too-large');
      },
    },
  };
}

async function removeLogo(
  { applications, events }: ProfileOptions,
  visit: Visit,
  { clientId }: OwnedApplication,
): Promise<void> {
  await applications.removeLogo({ ownerId: visit.session.accountId, clientId });
  events.applicationChanged({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationProfile(clientId), 'logo-removed');
}

interface Submission<F extends Form> {
  readonly visit: Visit;
  readonly form: F;
  readonly application: OwnedApplication;
}

async function saveLinks(
  { applications, events }: ProfileOptions,
  { visit, form, application }: Submission<Form>,
): Promise<void> {
  const { clientId } = application;
  const typed = { website: form.text('website_uri'), terms: form.text('terms_uri'), privacy: form.text('privacy_uri') };
  const { links, problems } = parseLinks(typed);
  if (links === undefined) {
    show(visit, application, { status: 422, typed, linkProblems: problems });
    return;
  }
  if (!(await applications.describe({ ownerId: visit.session.accountId, clientId }, links))) return;
  events.applicationChanged({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationProfile(clientId), 'links-saved');
}

async function upload(
  { applications, logos, events }: ProfileOptions,
  { visit, form, application }: Submission<FileForm>,
): Promise<void> {
  const { clientId } = application;
  const { accountId } = visit.session;
  const logo = form.file === undefined ? 'missing' : await logos.draw(form.file, accountId);
  if (typeof logo === 'string') {
    rejectLogo(visit, application, logo);
    return;
  }
  if (!(await applications.setLogo({ ownerId: accountId, clientId }, logo))) return;
  events.applicationChanged({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationProfile(clientId), 'logo-saved');
}

type Problem = NonNullable<PageState['logoProblem']>;

const problemStatus: Readonly<Record<Problem, number>> = {
  missing: 422,
  'not-an-image': 422,
  'too-large': 413,
  busy: 429,
};

function rejectLogo(visit: Visit, application: OwnedApplication, problem: Problem): void {
  show(visit, application, { status: problemStatus[problem], logoProblem: problem });
}
