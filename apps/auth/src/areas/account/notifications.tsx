import { notificationKinds } from '@linnet/contract/notifications';
import type { Queryable } from '@linnet/db/statement/transaction';
import { findPreferences, updatePreferences } from '@linnet/social/notification/notification-setting-store';
import type { NotificationChoice } from '@linnet/social/notification/notification-setting-store';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

const notificationsDone = ['saved'] as const;

interface NotificationsPageProps {
  readonly frame: Frame;
  readonly choice: NotificationChoice;
  readonly done?: (typeof notificationsDone)[number] | undefined;
}

/** What the person wants to be notified of. */
export function NotificationsPage({ frame, choice, done }: NotificationsPageProps): VNode {
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
              checked={!choice.off.includes(kind)}
            />
          ))}
        </ChoiceGroup>
        <p class="quiet small">{texts.back}</p>
        <ChoiceGroup name="mail" legend={texts.mailLegend}>
          <Choice
            type="checkbox"
            name="mail"
            value="proposal"
            label={texts.kinds.proposal}
            text={texts.mailText}
            checked={choice.proposalMail}
          />
        </ChoiceGroup>
        <button class="button" data-testid="save-notifications">
          {texts.save}
        </button>
      </PostForm>
    </AccountLayout>
  );
}

/** `/account/notifications`: which notifications the person wants. */
export function notificationsRoute({ db }: { readonly db: Queryable }): AreaPage {
  return {
    path: pagePaths.notifications,
    show: async ({ ctx, frame, session }) => {
      const choice = await findPreferences(db, session.accountId);
      renderPage(ctx, <NotificationsPage {...{ frame, choice, done: findDone(ctx, notificationsDone) }} />);
    },
    form: {
      stepUp: 'none',
      // Values that are no kind are ignored.
      act: async ({ ctx, session }, form) => {
        const chosen = new Set(form.all('kind'));
        const wanted = notificationKinds.filter((kind) => chosen.has(kind));
        const unwanted = notificationKinds.filter((kind) => !chosen.has(kind));
        const proposalMail = form.all('mail').includes('proposal');
        await updatePreferences(db, session.accountId, { wanted, unwanted, proposalMail });
        redirectTo(ctx, pagePaths.notifications, 'saved');
      },
    },
  };
}
