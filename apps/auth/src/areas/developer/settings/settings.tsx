import { findGainOfChange } from '@linnet/applications/application/application-change';
import type { OwnedApplication } from '@linnet/applications/application/application-store';
import { ApplicationRefused } from '@linnet/applications/application/application';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { Settings } from '@linnet/applications/settings/settings';
import type { ComponentChildren, VNode } from 'preact';

import type { AuthEvents } from '../../../audit/events.ts';
import type { Form } from '../../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { ErrorSummary, PostForm } from '../../../pages/views/field.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import { ApplicationFields } from '../application/application-fields.tsx';
import type { ApplicationField, ApplicationValues } from '../application/application-fields.tsx';
import { applicationActions, findOwned, readSettings, readValues, toValues } from '../application/application-form.ts';
import { problemTexts } from './problem-text.ts';
import type { SettingLimits } from './setting-fields.tsx';

interface SettingsOptions {
  readonly applications: Pick<MyApplications, 'find' | 'at'>;
  readonly events: AuthEvents;
  readonly settingLimits: SettingLimits;
}

/** `/developer/applications/:client_id/settings` */
export function settingsRoute({ applications, events, settingLimits }: SettingsOptions): AreaPage {
  const find = async (visit: Visit) => await findOwned(applications, visit);

  const show = ({ ctx, frame }: Visit, application: OwnedApplication, { status = 200, ...state }: PageState) => {
    const values = toValues(application);
    renderPage(ctx, <SettingsPage {...{ frame, application, settingLimits, values }} {...state} />, { status });
  };

  const save = async (visit: Visit, form: Form, application: OwnedApplication) => {
    const { clientId } = application;
    const settings = { ...readSettings(form, application.type), ownerId: visit.session.accountId };
    try {
      if (!(await applications.at(visit.sessionDb).edit(application, settings))) return;
      events.applicationChanged({ ...visit.event, clientId });
      redirectTo(visit.ctx, pagePaths.applicationSettings(clientId), 'saved');
    } catch (error) {
      if (!(error instanceof ApplicationRefused)) throw error;
      const texts = problemTexts(visit.frame.messages, error.problems);
      show(visit, application, { status: 422, values: valuesOf(form, application), ...texts });
    }
  };

  return {
    path: `${pagePaths.applications}/applications/:clientId/settings`,
    show: async (visit) => {
      const application = await find(visit);
      if (application !== undefined) show(visit, application, { isSaved: findDone(visit.ctx, ['saved']) === 'saved' });
    },
    forms: {
      [applicationActions.save]: {
        stepUp: async (visit, form) => {
          const application = await find(visit);
          return application !== undefined && isWidening(form, application);
        },
        act: async (visit, form) => {
          const application = await find(visit);
          if (application !== undefined) await save(visit, form, application);
        },
      },
    },
  };
}

interface PageState extends Partial<Pick<SettingsPageProps, 'values' | 'errors' | 'problem' | 'isSaved'>> {
  readonly status?: number;
}

/**
 * Whether the settings send people elsewhere, trust other keys, or give the application more access. Invalid settings
 * do nothing: saving them is rejected.
 */
function isWidening(form: Form, application: OwnedApplication): boolean {
  const { redirectUris, jwksUri, type } = application;
  const settings = readSettings(form, type);
  const isGoingElsewhere = settings.redirectUris.some((uri) => !redirectUris.includes(uri));
  const hasOtherKeys = jwksUri !== undefined && settings.jwksUri !== jwksUri;
  return isGoingElsewhere || hasOtherKeys || gainsAccess(settings, application);
}

function gainsAccess(settings: Settings, application: OwnedApplication): boolean {
  try {
    return findGainOfChange(application, settings).length > 0;
  } catch (error) {
    if (error instanceof ApplicationRefused) return false;
    throw error;
  }
}

/** The form as typed. The key set URL is a field only if the application has one. */
function valuesOf(form: Form, { type, jwksUri }: OwnedApplication): ApplicationValues {
  const values = readValues(form, type);
  return jwksUri === undefined ? { ...values, jwksUri } : values;
}

export interface SettingsPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  /** As typed if the form was rejected. */
  readonly values: ApplicationValues;
  readonly errors?: FieldErrors<ApplicationField>;
  /** Where the operator limits a setting. */
  readonly settingLimits?: SettingLimits;
  /** An error that belongs to no field. */
  readonly problem?: ComponentChildren;
  readonly isSaved?: boolean;
}

/** Name, permissions, redirect URIs and protocol settings of an application. */
export function SettingsPage(props: SettingsPageProps): VNode {
  const { frame, application, values, errors = {}, settingLimits = {}, problem, isSaved = false } = props;
  const { application: texts, pages } = frame.messages.developer;
  return (
    <ApplicationLayout frame={frame} application={application} page="settings">
      {isSaved ? <Notice kind="done">{texts.saved}</Notice> : null}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <h2>{pages.settings}</h2>
      <PostForm frame={frame} hidden={{ action: applicationActions.save }} class="panel">
        {application.isVerified === true ? (
          <Notice kind="warning">{frame.messages.names.applicationChangeEndsVerification}</Notice>
        ) : null}
        <ApplicationFields {...{ frame, values, errors, settingLimits }} />
        <button class="button">{texts.save}</button>
      </PostForm>
    </ApplicationLayout>
  );
}
