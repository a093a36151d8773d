import type { OwnedApplication } from '@linnet/applications/application/application-store';
import { linkNames, parseLinks } from '@linnet/applications/application/links';
import type { LinkProblems, Links, TypedLinks } from '@linnet/applications/application/links';
import type { MyApplications } from '@linnet/applications/my-applications';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../../audit/events.ts';
import type { FileForm } from '../../../pages/form/file-form.ts';
import type { Form } from '../../../pages/form/form.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { Logo } from '../../../pages/views/application-facts.tsx';
import { ErrorSummary, FieldError, PostForm, TextField, fieldId } from '../../../pages/views/field.tsx';
import { ApplicationLinks, hasLinks } from '../../../pages/views/link.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import type { LogoProblem, Logos } from '../../logos/logos.ts';
import { findOwned } from '../application/application-form.ts';

/** Values of the parameter `done`. */
const profileDone = ['links-saved', 'logo-saved', 'logo-removed'] as const;

const doneTexts = { 'links-saved': 'saved', 'logo-saved': 'logoSaved', 'logo-removed': 'logoRemoved' } as const;

/** Values of the hidden field `action`; the form with the file has none. */
const profileActions = { saveLinks: 'save-links', removeLogo: 'remove-logo' } as const;

interface ProfilePageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader & { readonly links: Links };
  /** Rejected values, as typed. */
  readonly typed?: TypedLinks;
  readonly linkProblems?: LinkProblems;
  readonly logoProblem?: LogoProblem | 'missing';
  readonly done?: (typeof profileDone)[number] | undefined;
}

/** What people see of an application: its logo and links. */
export function ProfilePage(props: ProfilePageProps): VNode {
  const { frame, application, linkProblems = {}, logoProblem, done } = props;
  const { profile: texts } = frame.messages.developer;
  const linkErrors = Object.fromEntries(
    Object.entries(linkProblems).map(([name, problem]) => [`${name}_uri`, texts.errors[problem]]),
  );
  const logoErrors = { ...frame.messages.imageProblems, ...texts.errors };
  const errors = { ...linkErrors, ...(logoProblem === undefined ? {} : { logo: logoErrors[logoProblem] }) };
  return (
    <ApplicationLayout frame={frame} application={application} page="profile">
      {done === undefined ? null : <Notice kind="done">{texts[doneTexts[done]]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} />
      <p>{texts.intro}</p>
      {application.isVerified === true ? (
        <Notice kind="warning">{frame.messages.names.applicationChangeEndsVerification}</Notice>
      ) : null}
      <LogoSection frame={frame} application={application} error={errors['logo']} />
      <section>
        <h2>{texts.links}</h2>
        <p>{texts.linksText}</p>
        <LinksForm {...props} errors={errors} />
      </section>
      {application.logo === undefined && !hasLinks(application.links) ? null : <Preview {...props} />}
    </ApplicationLayout>
  );
}

interface LogoSectionProps extends Pick<ProfilePageProps, 'frame' | 'application'> {
  readonly error: string | undefined;
}

function LogoSection({ frame, application, error }: LogoSectionProps): VNode {
  const { profile: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.logo}</h2>
      <PostForm frame={frame} class="panel" hasFile>
        <div class={error === undefined ? 'field' : 'field wrong'}>
          <label for={fieldId('logo')}>{texts.logoFile}</label>
          <p class="hint" id={`${fieldId('logo')}-hint`}>
            {texts.logoText}
          </p>
          <input
            type="file"
            id={fieldId('logo')}
            name="logo"
            accept="image/png,image/jpeg"
            aria-describedby={[
              `${fieldId('logo')}-hint`,
              ...(error === undefined ? [] : [`${fieldId('logo')}-error`]),
            ].join(' ')}
            aria-invalid={error === undefined ? undefined : true}
          />
          <FieldError name="logo" error={error} />
        </div>
        <button class="button" data-testid="upload-logo">
          {texts.upload}
        </button>
      </PostForm>
      {application.logo === undefined ? null : (
        <PostForm frame={frame} hidden={{ action: profileActions.removeLogo }}>
          <button class="button quiet-button" data-testid="remove-logo">
            {texts.removeLogo}
          </button>
        </PostForm>
      )}
    </section>
  );
}

function LinksForm({
  frame,
  application,
  typed,
  errors,
}: ProfilePageProps & { readonly errors: Readonly<Record<string, string>> }): VNode {
  const { profile: texts } = frame.messages.developer;
  return (
    <PostForm frame={frame} hidden={{ action: profileActions.saveLinks }} class="panel">
      {linkNames.map((name) => (
        <TextField
          key={name}
          name={`${name}_uri`}
          label={texts[name]}
          value={typed?.[name] ?? application.links[name]}
          error={errors[`${name}_uri`]}
          autocomplete="off"
          optional={frame.messages.form.optional}
        />
      ))}
      <button class="button" data-testid="save-links">
        {texts.save}
      </button>
    </PostForm>
  );
}

function Preview({ frame, application }: ProfilePageProps): VNode {
  const { profile: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.preview}</h2>
      <div class="panel">
        <div class="named">
          <Logo name={application.logo} />
          <p>
            <UserText strong text={application.name} />
          </p>
        </div>
        <dl class="facts">
          <ApplicationLinks frame={frame} links={application.links} />
        </dl>
      </div>
    </section>
  );
}

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

/** Others are 422. */
const problemStatus: Readonly<Partial<Record<Problem, number>>> = {
  'too-large': 413,
  busy: 429,
};

function rejectLogo(visit: Visit, application: OwnedApplication, problem: Problem): void {
  show(visit, application, { status: problemStatus[problem] ?? 422, logoProblem: problem });
}
