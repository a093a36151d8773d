import type { VNode } from 'preact';

import { CopyScript } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { ApplicationHeader } from '../application/application-layout.tsx';
import { FailuresSection } from './failures-section.tsx';
import type { FailureList } from './failures-section.tsx';

interface ActivityPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly failures: FailureList;
}

export function ActivityPage({ frame, application, failures }: ActivityPageProps): VNode {
  return (
    <ApplicationLayout frame={frame} application={application} page="activity">
      <FailuresSection frame={frame} clientId={application.clientId} failures={failures} />
      <CopyScript frame={frame} />
    </ApplicationLayout>
  );
}
