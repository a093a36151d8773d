import type { Account, ReportsCreateParameters } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { currentPath, navigate, paths } from '../router.ts';
import { useClient } from '../client.ts';
import type { ToastAction } from '../client.ts';
import { Choices } from './choices.tsx';
import type { Choice } from './choices.tsx';
import { toEnd } from './end-choice.tsx';
import type { Ending } from './end-choice.tsx';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';
import { ReportForm } from './report-form.tsx';

interface PersonMenuProps {
  readonly account: Account;
  /** What a report is about. */
  readonly subject: Pick<ReportsCreateParameters, 'item_id' | 'type'>;
  /** What can be done with the post. */
  readonly first?: readonly Choice[];
}

/** A button that opens what can be done about somebody else: mute, block, report. */
export function PersonMenu({ account, subject, first = [] }: PersonMenuProps): VNode {
  const { texts } = useClient();
  const [shown, show] = useState<'actions' | 'report'>();
  const label = texts.safety.more(account.username);
  const close = () => show(undefined);
  const name = `@${account.username}`;
  const title = shown === 'report' ? `${texts.safety.report}: ${name}` : name;
  return (
    <>
      <button
        type="button"
        class="action more-actions"
        aria-label={label}
        title={label}
        onClick={() => show('actions')}
      >
        <Icon name="more" />
      </button>
      {shown !== undefined && (
        <Modal title={title} closeLabel={texts.menu.close} kind="menu" onClose={close}>
          {shown === 'actions' ? (
            <Actions account={account} first={first} report={() => show('report')} close={close} />
          ) : (
            <ReportForm subject={subject} close={close} />
          )}
        </Modal>
      )}
    </>
  );
}

interface ActionsProps extends Required<Pick<PersonMenuProps, 'account' | 'first'>> {
  readonly report: () => void;
  readonly close: () => void;
}

function Actions({ account, first, report: openReport, close }: ActionsProps): VNode {
  const { texts, session, notify, report } = useClient();
  const { safety } = texts;
  const { id, username } = account;
  const { linnet } = session;
  const thenClose = (act: () => void) => () => {
    act();
    close();
  };
  /** Does it, says so, and offers the opposite. */
  const run = (act: () => Promise<unknown>, done: string, undo?: ToastAction) => () => {
    close();
    act().then(() => notify(done, undo), report);
  };
  const unmute = run(async () => await linnet.mutes.delete({ id }), safety.unmuted(username));
  const unblock = run(async () => await linnet.blocks.delete({ id }), safety.unblocked(username));
  const mute = (ending: Ending) =>
    run(
      async () => {
        await linnet.mutes.add({ id, ...toEnd(ending) });
        session.hidePerson(id);
      },
      safety.muted(username),
      { label: safety.unmute, act: unmute },
    );
  const block = run(
    async () => {
      await linnet.blocks.add({ id });
      session.hidePerson(id);
      if (currentPath.get() !== paths.feed) navigate(paths.feed);
    },
    safety.blocked(username),
    { label: safety.unblock, act: unblock },
  );
  const isMuted = account.viewer?.muted === 1;
  const rows: readonly Choice[] = [
    ...first.map(([label, act]): Choice => [label, thenClose(act)]),
    ...(isMuted ? ([[safety.unmute, unmute]] as const) : []),
    [safety.muteDay, mute('day')],
    [safety.muteWeek, mute('week')],
    [safety.mute, mute('never')],
    [safety.block, block],
    [safety.report, openReport],
  ];
  return <Choices rows={rows} />;
}
