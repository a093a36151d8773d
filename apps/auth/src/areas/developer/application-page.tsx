import type { VNode } from 'preact';

import { CopyScript, Notice } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import { ApplicationLayout } from '../application/application-layout.tsx';
import { ClientIdFact } from './client-id-fact.tsx';
import { RemovalForm } from './danger-page.tsx';
import { GuideLinks } from './guide-links.tsx';
import type { GuidedSettings } from './guide-links.tsx';
import { findAuthentication } from './own-credentials.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { Quickstart } from './quickstart-section.tsx';
import { SecretsSummary } from './secrets-summary.tsx';
import { UsageSummarySection } from './usage-summary-section.tsx';

/** Values of the parameter `done`. */
export const applicationDone = ['already-created'] as const;

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
 * Folded: the form is on the page of the danger zone as well. Programs rely on this one (operations.md, "Details that
 * clients and automation rely on", 10).
 */
function Removal({ frame, application, usageSummary }: ApplicationPageProps): VNode {
  const { application: texts, pause } = frame.messages.developer;
  return (
    <details>
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
