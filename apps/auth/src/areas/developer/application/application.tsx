import type { MyApplications } from '@linnet/applications/my-applications';
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import type { ProtocolSettings } from '@linnet/applications/settings/protocol-settings';
import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, renderPage } from '../../../pages/frame/render.tsx';
import { findTyped } from '../../../pages/views/field.tsx';
import { CopyScript, Copyable, Notice, copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import { submissionFields } from '../../application/submission-id.ts';
import type { ApplicationReports } from '../activity/reports-store.ts';
import { findAuthentication } from '../credentials/own-credentials.ts';
import type { OwnCredentials } from '../credentials/own-credentials.ts';
import { SecretsSummary } from '../credentials/secrets-section.tsx';
import { RemovalForm, removalFields } from '../settings/danger.tsx';
import { UsageSummarySection } from '../usage/usage.tsx';
import { findOwned } from './application-form.ts';
import type { PageWithForms } from './application-form.ts';
import { Quickstart } from './quickstart-section.tsx';

/** Values of the parameter `done`. */
const applicationDone = ['already-created'] as const;

export type ApplicationDone = (typeof applicationDone)[number];

export interface ApplicationPageProps {
  readonly frame: Frame;
  readonly baseUrl: string;
  readonly application: OwnCredentials & {
    readonly createdAt: Date;
    readonly redirectUris: readonly string[];
    readonly scopes: readonly string[];
    readonly protocol: GuidedSettings;
  };
  readonly done?: ApplicationDone | undefined;
  readonly usageSummary?: UsageSummary | undefined;
  /** In the last 24 hours. */
  readonly recentFailures?: number;
  /** Hidden fields of the form that adds a secret. */
  readonly addSecretHidden?: Readonly<Record<string, string>>;
  readonly now: Date;
}

/** The overview of an application. */
export function ApplicationPage(props: ApplicationPageProps): VNode {
  const { frame, baseUrl, application, done, usageSummary, recentFailures = 0, addSecretHidden, now } = props;
  const hasSecret = findAuthentication(application) === 'secret';
  return (
    <ApplicationLayout frame={frame} application={application} page="overview">
      {done === undefined ? null : <Notice kind="done">{frame.messages.developer.application.alreadyCreated}</Notice>}
      <Details {...props} />
      {usageSummary === undefined ? null : (
        <UsageSummarySection {...{ frame, application, recentFailures, usageSummary }} />
      )}
      <Quickstart {...{ frame, baseUrl, application, hasSecret }} />
      <SecretsSummary {...{ frame, now, application, addSecretHidden }} />
      <GuideLinks {...{ frame }} application={{ ...application, hasSecret }} />
      <Removal {...props} />
      <CopyScript frame={frame} />
    </ApplicationLayout>
  );
}

/**
 * Folded: the form is on the page of the danger zone as well. Programs rely on this one.
 */
function Removal({ frame, application, usageSummary }: ApplicationPageProps): VNode {
  const { application: texts, pause } = frame.messages.developer;
  return (
    <details open={findTyped(frame, removalFields) !== undefined}>
      <summary>{texts.remove}</summary>
      <RemovalForm {...{ frame, application, usageSummary }} />
      <p class="small">
        <a href={pagePaths.applicationDanger(application.clientId)}>{pause.submit}</a>
      </p>
    </details>
  );
}

function Details({ frame, application }: ApplicationPageProps): VNode {
  const { application: texts, types } = frame.messages.developer;
  return (
    <dl class="facts panel">
      <ClientIdFact frame={frame} clientId={application.clientId} />
      <div>
        <dt>{texts.type}</dt>
        <dd>{types[application.type].label}</dd>
      </div>
      <div>
        <dt>{texts.created}</dt>
        <dd>
          <time datetime={application.createdAt.toISOString()}>{frame.messages.formatDay(application.createdAt)}</time>
        </dd>
      </div>
      <div>
        <dt>{frame.messages.names.verification}</dt>
        <dd>
          {application.isVerified === true
            ? frame.messages.names.verifiedBy(frame.serviceName)
            : frame.messages.names.notVerifiedBy(frame.serviceName)}
        </dd>
      </div>
    </dl>
  );
}

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'usageSummaries' | 'recentFailures'>;
  /** Those of the credentials and the danger zone. Programs send them to the overview. */
  readonly forms: PageWithForms['forms'];
}

/** `/developer/applications/:client_id`: 404 for everyone but the owner (checklist DV2). */
export function applicationRoute({ baseUrl, applications, reports, forms }: ApplicationOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const { clientId } = application;
      const [usageSummaries, recentFailures] = await Promise.all([
        reports.usageSummaries([clientId]),
        reports.recentFailures(clientId),
      ]);
      const usageSummary = usageSummaries.get(clientId);
      const own = { frame, baseUrl, application, now: new Date(), usageSummary, recentFailures };
      const page = (
        <ApplicationPage {...own} done={findDone(ctx, applicationDone)} addSecretHidden={submissionFields()} />
      );
      renderPage(ctx, page, { script: copyScript(frame) });
    },
    forms,
  };
}

interface ClientIdFactProps {
  readonly frame: Frame;
  readonly clientId: string;
}

/** The client ID in a list of facts (`<dl class="facts">`). */
export function ClientIdFact({ frame, clientId }: ClientIdFactProps): VNode {
  return (
    <div>
      <dt>{frame.messages.developer.application.clientId}</dt>
      <dd>
        <Copyable frame={frame} testId="client-id">
          {clientId}
        </Copyable>
      </dd>
    </div>
  );
}

/** The settings that decide which guides help. */
type GuidedSettings = Pick<
  ProtocolSettings,
  'strict' | 'grantTypes' | 'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens'
>;

interface GuidedApplication {
  readonly protocol: GuidedSettings;
  /** False: it is public or native, or authenticates with its own keys. */
  readonly hasSecret: boolean;
  readonly type: 'confidential' | 'public' | 'native';
}

interface GuideLinksProps {
  readonly frame: Frame;
  readonly application: GuidedApplication;
}

/** The guides for what this application can do. */
function GuideLinks({ frame, application }: GuideLinksProps): VNode {
  const { guideLinks: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.title}</h2>
      <ul>
        {findGuides(application).map((slug) => (
          <li key={slug}>
            <a href={pagePaths.guide(slug)}>{texts.links[slug]}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Slug = keyof Frame['messages']['developer']['guideLinks']['links'];

/** In the order in which they are useful. */
export function findGuides({ protocol, hasSecret, type }: GuidedApplication): readonly Slug[] {
  const { strict, grantTypes, requirePushedAuthorizationRequests, dpopBoundAccessTokens } = protocol;
  const hasKeys = type === 'confidential' && !hasSecret;
  const fits: Readonly<Record<Slug, boolean>> = {
    'sign-in': grantTypes.includes('authorization_code'),
    backend: grantTypes.includes('client_credentials'),
    devices: grantTypes.includes(deviceGrantType),
    tokens: grantTypes.includes('refresh_token'),
    'pushed-requests': strict || hasKeys || requirePushedAuthorizationRequests,
    dpop: strict || dpopBoundAccessTokens,
    'going-live': true,
  };
  // Object.keys returns string[].
  return (Object.keys(fits) as readonly Slug[]).filter((slug) => fits[slug]);
}
