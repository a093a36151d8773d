import type { VNode } from 'preact';

import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ApplicationHeader } from '../application/application-layout.tsx';

interface UsageSummarySectionProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly usageSummary: UsageSummary;
  /** In the last 24 hours. */
  readonly recentFailures: number;
}

export function UsageSummarySection(props: UsageSummarySectionProps): VNode {
  const { frame, application, usageSummary, recentFailures } = props;
  const { messages } = frame;
  const { usageSummary: texts, failures } = messages.developer;
  const { people, lastUsedAt, tokens, calls } = usageSummary;
  return (
    <section>
      <h2>{texts.title}</h2>
      <dl class="facts panel">
        <div>
          <dt>{texts.lastUse}</dt>
          <dd>{lastUsedAt === undefined ? texts.neverUsed : messages.formatMinute(lastUsedAt)}</dd>
        </div>
        <div>
          <dt>{texts.failures}</dt>
          <dd>
            {texts.failuresText(recentFailures)} ·{' '}
            <a href={pagePaths.applicationActivity(application.clientId)}>{failures.title}</a>
          </dd>
        </div>
        <div>
          <dt>{texts.peopleTitle}</dt>
          <dd>{texts.people(people)}</dd>
        </div>
        <div>
          <dt>{texts.week}</dt>
          <dd>
            {texts.weekText(tokens, calls)} ·{' '}
            <a href={pagePaths.applicationUsage(application.clientId)}>{texts.more}</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}
