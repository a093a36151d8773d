import { notificationKinds } from '@linnet/contract/notifications';
import type { NotificationKind } from '@linnet/contract/notifications';
import type { VNode } from 'preact';

import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { AccountLayout } from './account-layout.tsx';

export const notificationsDone = ['saved'] as const;

interface NotificationsPageProps {
  readonly frame: Frame;
  /** The kinds that the person does not want. */
  readonly unwanted: ReadonlySet<NotificationKind>;
  readonly done?: (typeof notificationsDone)[number] | undefined;
}

/** What the person wants to be notified of. */
export function NotificationsPage({ frame, unwanted, done }: NotificationsPageProps): VNode {
  const { notifications: texts } = frame.messages;
  return (
    <AccountLayout frame={frame} page="notifications" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {done === undefined ? null : <Notice kind="done">{texts[done]}</Notice>}
      <PostForm frame={frame} class="panel">
        <ChoiceGroup name="kind" legend={texts.legend}>
          {notificationKinds.map((kind) => (
            <Choice
              key={kind}
              type="checkbox"
              name="kind"
              value={kind}
              label={texts.kinds[kind]}
              checked={!unwanted.has(kind)}
            />
          ))}
        </ChoiceGroup>
        <p class="quiet small">{texts.back}</p>
        <button class="button" data-testid="save-notifications">
          {texts.save}
        </button>
      </PostForm>
    </AccountLayout>
  );
}
