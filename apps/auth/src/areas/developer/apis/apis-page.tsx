import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import type { Frame } from '../../../pages/frame/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { ApiHistory } from './api-history.tsx';
import type { ApiHistoryProps } from './api-history.tsx';

export interface ApisPageProps {
  readonly frame: Frame;
  readonly apis: readonly Pick<RegisteredApi, 'id' | 'identifier' | 'name' | 'scopes'>[];
  /** An API was deleted just now. */
  readonly isDeleted?: boolean;
  readonly history: Omit<ApiHistoryProps, 'frame'>;
}

/** The APIs of a developer. */
export function ApisPage({ frame, apis, isDeleted = false, history }: ApisPageProps): VNode {
  const { apis: texts, list } = frame.messages.developer;
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="applications">
      <p>
        <a href={pagePaths.applications}>{list.title}</a>
      </p>
      <div class="title-line">
        <h1>{texts.title}</h1>
        <a class="button" href={pagePaths.createApi}>
          {texts.create}
        </a>
      </div>
      <p class="lead">{texts.intro}</p>
      {isDeleted ? <Notice kind="done">{texts.deleted}</Notice> : null}
      {apis.length === 0 ? (
        <p class="empty">{texts.empty}</p>
      ) : (
        <ul class="rows">
          {apis.map(({ id, identifier, name, scopes }) => (
            <li key={id} class="row" data-testid="api">
              <h2>
                <a href={pagePaths.api(id)}>
                  <UserText text={name} />
                </a>
              </h2>
              <p class="quiet small">
                <code>
                  <UserText text={identifier} />
                </code>
              </p>
              <p class="quiet small">
                <UserText text={scopes.map(({ scope }) => scope).join(' ')} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <ApiHistory frame={frame} {...history} />
    </Layout>
  );
}
