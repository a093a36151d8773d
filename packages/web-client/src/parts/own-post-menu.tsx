import type { ListedPost } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { currentPath, navigate, paths } from '../router.ts';
import { useClient } from '../client.ts';
import { Choices } from './choices.tsx';
import type { Choice } from './choices.tsx';
import { EditForm, SettingsForm } from './edit-form.tsx';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';
import { Confirmation } from './question.tsx';

interface OfPost {
  readonly post: ListedPost;
}

interface OwnPostMenuProps extends OfPost {
  readonly first: Choice;
}

type Step = 'actions' | 'edit' | 'settings' | 'delete';

/** A button that opens what authors can do with their post: edit it, change its settings, delete it. */
export function OwnPostMenu({ post, first }: OwnPostMenuProps): VNode {
  const { texts } = useClient();
  const [step, go] = useState<Step>();
  const { more } = texts.post;
  return (
    <>
      <button
        type="button"
        class="action more-actions"
        aria-label={more}
        title={more}
        aria-haspopup="dialog"
        onClick={() => go('actions')}
      >
        <Icon name="more" />
      </button>
      {step !== undefined && <Steps post={post} first={first} step={step} go={go} />}
    </>
  );
}

interface StepsProps extends OwnPostMenuProps {
  readonly step: Step;
  readonly go: (step: Step | undefined) => void;
}

function Steps({ post, first: [copyLabel, copy], step, go }: StepsProps): VNode {
  const { texts } = useClient();
  const titles = {
    actions: texts.post.own,
    edit: texts.post.editTitle,
    settings: texts.post.settingsTitle,
    delete: texts.post.deletePost,
  };
  const close = () => go(undefined);
  const thenClose = (act: () => void) => () => {
    act();
    close();
  };
  const settings = post.attachments.length > 0 ? texts.post.settingsWithPictures : texts.post.settings;
  return (
    <Modal
      title={titles[step]}
      closeLabel={texts.menu.close}
      kind={step === 'edit' ? 'compose' : 'menu'}
      onClose={close}
    >
      {step === 'actions' && (
        <Choices
          rows={[
            [copyLabel, thenClose(copy)],
            [texts.post.edit, () => go('edit')],
            [settings, () => go('settings')],
            [texts.post.delete, () => go('delete')],
          ]}
        />
      )}
      {step === 'edit' && <EditForm post={post} close={close} />}
      {step === 'settings' && <SettingsForm post={post} close={close} />}
      {step === 'delete' && <DeletePost post={post} close={close} />}
    </Modal>
  );
}

function DeletePost({ post, close }: OfPost & { readonly close: () => void }): VNode {
  const { texts, session, notify, report } = useClient();
  const remove = async () => {
    close();
    await session.linnet.posts.delete({ id: post.id });
    session.removePost(post.id);
    notify(texts.post.deleted);
    if (currentPath.get() === paths.post(post.id)) navigate(paths.feed);
  };
  return (
    <Confirmation
      hint={texts.post.deletePostHint}
      confirm={texts.post.delete}
      onConfirm={() => void remove().catch(report)}
      onCancel={close}
    />
  );
}
