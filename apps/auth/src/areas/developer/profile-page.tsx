import type { VNode } from 'preact';

import { linkNames } from '@linnet/applications/application/links';
import type { LinkProblems, Links, TypedLinks } from '@linnet/applications/application/links';
import type { LogoProblem } from '../logos/logos.ts';
import { ApplicationLinks, hasLinks } from '../../pages/views/link.tsx';
import { ErrorSummary, FieldError, fieldId, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Logo } from '../../pages/views/application-facts.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { ApplicationHeader } from '../application/application-layout.tsx';

/** Values of the parameter `done`. */
export const profileDone = ['links-saved', 'logo-saved', 'logo-removed'] as const;

const doneTexts = { 'links-saved': 'saved', 'logo-saved': 'logoSaved', 'logo-removed': 'logoRemoved' } as const;

/** Values of the hidden field `action`; the form with the file has none. */
export const profileActions = { saveLinks: 'save-links', removeLogo: 'remove-logo' } as const;

export interface ProfilePageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader & { readonly links: Links };
  /** Rejected values, as typed. */
  readonly typed?: TypedLinks;
  readonly linkProblems?: LinkProblems;
  readonly logoProblem?: LogoProblem | 'missing' | 'too-large';
  readonly done?: (typeof profileDone)[number] | undefined;
}

/** What people see of an application: its logo and links. */
export function ProfilePage(props: ProfilePageProps): VNode {
  const { frame, application, linkProblems = {}, logoProblem, done } = props;
  const { profile: texts } = frame.messages.developer;
  const linkErrors = Object.fromEntries(
    Object.entries(linkProblems).map(([name, problem]) => [`${name}_uri`, texts.errors[problem]]),
  );
  const errors = { ...linkErrors, ...(logoProblem === undefined ? {} : { logo: texts.errors[logoProblem] }) };
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
