import type { OwnedApplication } from '@linnet/applications/application-store';
import type { NewLogo } from '@linnet/applications/description-store';
import { parseLinks } from '@linnet/applications/links';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo } from '../../pages/http/done.ts';
import { FileTooLong, hasFileForm } from '../../pages/http/file-form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Logos } from '../logos/logos.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { profileActions, profileDone, ProfilePage } from './profile-page.tsx';
import type { ProfilePageProps } from './profile-page.tsx';

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
  const withOwned = (work: (visit: Visit, application: OwnedApplication) => Promise<void>) => async (visit: Visit) => {
    const { session, param } = visit;
    const application = await applications.find({ ownerId: session.accountId, clientId: param('clientId') });
    if (application !== undefined) await work(visit, application);
  };
  return {
    path: `${pagePaths.applications}/applications/:clientId/appearance`,
    show: withOwned(async (visit, application) => {
      show(visit, application, { status: 200, done: findDone(visit.ctx, profileDone) });
    }),
    sensitive: false,
    act: withOwned(async (visit, application) => {
      if (hasFileForm(visit.ctx)) await upload(options, visit, application);
      else await change(options, visit, application);
    }),
  };
}

async function change(
  { applications, events }: ProfileOptions,
  visit: Visit,
  application: OwnedApplication,
): Promise<void> {
  const { clientId } = application;
  const mine = { ownerId: visit.session.accountId, clientId };
  const form = await visit.readForm();
  if (form.text('action') === profileActions.removeLogo) {
    await applications.removeLogo(mine);
    events.applicationChanged({ ...visit.event, clientId });
    redirectTo(visit.ctx, pagePaths.applicationProfile(clientId), 'logo-removed');
    return;
  }
  const typed = { website: form.text('website_uri'), terms: form.text('terms_uri'), privacy: form.text('privacy_uri') };
  const { links, problems } = parseLinks(typed);
  if (form.text('action') !== profileActions.saveLinks || links === undefined) {
    show(visit, application, { status: 422, typed, ...(problems === undefined ? {} : { linkProblems: problems }) });
    return;
  }
  if (!(await applications.describe(mine, links))) return;
  events.applicationChanged({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationProfile(clientId), 'links-saved');
}

async function upload(options: ProfileOptions, visit: Visit, application: OwnedApplication): Promise<void> {
  const { applications, logos, events } = options;
  const { clientId } = application;
  const { accountId } = visit.session;
  const logo = await receive(logos, visit);
  if (typeof logo === 'string') {
    show(visit, application, { status: problemStatus[logo], logoProblem: logo });
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

async function receive(logos: Logos, visit: Visit): Promise<NewLogo | Problem> {
  try {
    await using form = await visit.readFileForm({ name: 'logo', maxBytes, directory: logos.directory });
    return form.file === undefined ? 'missing' : await logos.draw(form.file, visit.session.accountId);
  } catch (error) {
    if (error instanceof FileTooLong) return 'too-large';
    throw error;
  }
}
