import { ApplicationRefused } from '@linnet/applications/application/application';
import type { MyApplications } from '@linnet/applications/my-applications';
import { defaultSettings, toTexts } from '@linnet/applications/settings/protocol-settings';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../../audit/events.ts';
import type { Form } from '../../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { ErrorSummary, Fold, PostForm } from '../../../pages/views/field.tsx';
import { Layout } from '../../../pages/views/layout.tsx';
import { copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { readSubmissionId, submissionFields } from '../../application/submission-id.ts';
import { NewCredentialsPage } from '../credentials/new-credentials-page.tsx';
import { problemTexts } from '../settings/problem-text.ts';
import { SettingFields } from '../settings/setting-fields.tsx';
import type { SettingLimits } from '../settings/setting-fields.tsx';
import { KeySetField, NameField, Permissions, RedirectUrisField } from './application-fields.tsx';
import type { ApplicationField, ApplicationValues } from './application-fields.tsx';
import { applicationKinds, readKind, readNewSettings, readValues, typeOf } from './application-form.ts';
import type { ApplicationKind } from './application-form.ts';
import type { ApplicationDone } from './application.tsx';
import { ScopeFields, newScopeValues } from './scope-fields.tsx';

/** The type can be chosen only when the application is created. */
type NewApplicationField = ApplicationField | 'type';

/** Values of the form, as typed. */
interface NewApplicationValues extends ApplicationValues {
  readonly kind: ApplicationKind;
}

export const newApplicationValues: NewApplicationValues = {
  name: '',
  kind: 'confidential',
  type: 'confidential',
  redirectUris: '',
  ...newScopeValues,
  isImplicit: false,
  actsAsOwner: true,
  settings: toTexts(defaultSettings('confidential')),
  jwksUri: '',
};

interface NewApplicationFieldsProps {
  readonly frame: Frame;
  readonly values: NewApplicationValues;
  readonly errors: FieldErrors<NewApplicationField>;
  readonly settingLimits: SettingLimits;
}

/** Three questions. Everything else has a default and is folded, unless it has an error. */
function NewApplicationFields(props: NewApplicationFieldsProps): VNode {
  const { frame, values, errors } = props;
  const { form, create } = frame.messages.developer;
  return (
    <>
      <NameField {...props} />
      <KindField {...props} />
      <div class="sign-in-only">
        <RedirectUrisField {...props} hint={create.redirectUrisHint} />
      </div>
      <Fold class="settings" open={errors.scope !== undefined}>
        <summary>{form.scope}</summary>
        <ScopeFields frame={frame} values={values} error={errors.scope} />
      </Fold>
      <SettingFields {...props} isOpen={errors.jwks_uri !== undefined || errors.implicit !== undefined} isNew>
        <KeySetField {...props} isNew />
        <Permissions {...props} isNew />
      </SettingFields>
    </>
  );
}

function KindField({ frame, values, errors }: NewApplicationFieldsProps): VNode {
  const { create } = frame.messages.developer;
  return (
    <ChoiceGroup name="type" legend={create.kind} hint={create.kindHint} error={errors.type}>
      {applicationKinds.map((kind) => {
        const { label, text } = create.kinds[kind];
        const named = (
          <>
            {label} <code>{typeOf(kind)}</code>
          </>
        );
        const checked = values.kind === kind;
        return <Choice key={kind} type="radio" name="type" value={kind} label={named} text={text} checked={checked} />;
      })}
    </ChoiceGroup>
  );
}

interface CreateApplicationOptions {
  readonly baseUrl: string;
  readonly applications: Pick<MyApplications, 'at'>;
  readonly events: AuthEvents;
  readonly settingLimits: SettingLimits;
}

/** `/developer/applications/new`: the response to its form shows the secret, only once (checklist CA3). */
export function createApplicationRoute(options: CreateApplicationOptions): AreaPage {
  const { baseUrl, applications, events, settingLimits } = options;
  return {
    path: pagePaths.createApplication,
    show: async ({ ctx, frame }) => {
      renderPage(ctx, <CreateApplicationPage {...{ frame, settingLimits }} hidden={submissionFields()} />);
    },
    form: { stepUp: 'recent', act: create },
  };

  async function create(visit: Visit, form: Form): Promise<void> {
    const { ctx, frame, session } = visit;
    const kind = readKind(form);
    if (kind === undefined) {
      const errors = { type: frame.messages.developer.form.errors.typeMissing };
      reject(visit, { settingLimits, values: valuesOf(form, newApplicationValues.kind), errors });
      return;
    }
    try {
      const request = {
        ...readNewSettings(form, kind),
        type: typeOf(kind),
        ownerId: session.accountId,
        submissionId: readSubmissionId(form),
      };
      const outcome = await applications.at(visit.sessionDb).create(request);
      if (outcome.kind === 'repeated') {
        redirectTo(ctx, pagePaths.application(outcome.clientId), 'already-created' satisfies ApplicationDone);
        return;
      }
      const { application } = outcome;
      const { clientId, clientSecret } = application;
      events.applicationCreated({ ...visit.event, clientId });
      const props = { frame, baseUrl, application, clientSecret, hasOwnKeys: request.jwksUri !== '' };
      renderPage(ctx, <NewCredentialsPage {...props} occasion="created" />, { script: copyScript(frame) });
    } catch (error) {
      if (!(error instanceof ApplicationRefused)) throw error;
      reject(visit, { settingLimits, values: valuesOf(form, kind), ...problemTexts(frame.messages, error.problems) });
    }
  }
}

/** The form as typed, for showing it again. */
function valuesOf(form: Form, kind: ApplicationKind): NewApplicationValues {
  return { ...readValues(form, typeOf(kind)), kind };
}

function reject({ ctx, frame }: Visit, props: Omit<CreateApplicationPageProps, 'frame' | 'hidden'>): void {
  renderPage(ctx, <CreateApplicationPage {...props} frame={frame} hidden={submissionFields()} />, { status: 422 });
}

interface CreateApplicationPageProps {
  readonly frame: Frame;
  /** As typed; the defaults if left out. */
  readonly values?: NewApplicationValues;
  readonly errors?: FieldErrors<NewApplicationField>;
  /** Where the operator limits a setting. */
  readonly settingLimits?: SettingLimits;
  /** An error that belongs to no field. */
  readonly problem?: string | undefined;
  readonly hidden?: Readonly<Record<string, string>>;
}

export function CreateApplicationPage(props: CreateApplicationPageProps): VNode {
  const { frame, values = newApplicationValues, errors = {}, settingLimits = {}, problem, hidden = {} } = props;
  const { create } = frame.messages.developer;
  return (
    <Layout frame={frame} title={create.title} kind="area" section="applications">
      <h1>{create.title}</h1>
      <p class="lead">{create.intro}</p>
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <PostForm frame={frame} hidden={hidden} class="panel">
        <NewApplicationFields {...{ frame, values, errors, settingLimits }} />
        <div class="actions">
          <button class="button">{create.submit}</button>
          <a class="button quiet-button" href={pagePaths.applications}>
            {create.cancel}
          </a>
        </div>
      </PostForm>
    </Layout>
  );
}
