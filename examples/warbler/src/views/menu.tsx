import type { VNode } from 'preact';

import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icons.tsx';
import { LanguagePicker } from '../parts/language-picker.tsx';
import { Modal } from '../parts/modal.tsx';
import { listPeople } from '../session/people.ts';
import { paths } from '../router.ts';
import { useWarbler } from '../warbler.ts';

/** Accounts, language, and what is elsewhere. */
export function Menu(): VNode {
  const { texts, language, speak, session, settings, open, addAccount, switchTo, signOut } = useWarbler();
  const { menu, navigation } = texts;
  return (
    <Modal title={menu.title} closeLabel={menu.close} kind="menu" onClose={() => open(undefined)}>
      <h3>{menu.accounts}</h3>
      <ul class="accounts">
        {listPeople().map((person) => (
          <li key={person.id}>
            <button type="button" aria-current={person.id === session.person.id} onClick={() => switchTo(person.id)}>
              <Avatar src={person.avatar} size="small" />
              <span>
                <bdi>{person.displayName}</bdi> <span class="username">@{person.username}</span>
              </span>
              {person.id === session.person.id && (
                <>
                  <Icon name="check" />
                  <span class="unseen">{menu.current}</span>
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p class="menu-actions">
        <button type="button" class="quiet" onClick={addAccount}>
          {menu.add}
        </button>
        <button type="button" class="quiet" onClick={signOut}>
          {menu.signOut(session.person.username)}
        </button>
      </p>
      <OwnPages />
      <h3>{menu.language}</h3>
      <LanguagePicker label={menu.language} language={language} speak={speak} />
      <h3>{navigation.about}</h3>
      <p>{navigation.aboutText(settings.serviceName)}</p>
      <p class="menu-actions">
        <a href={`${settings.issuer}/account`} target="_blank" rel="noopener">
          {menu.manage(settings.serviceName)}
        </a>
        <button type="button" class="link" onClick={() => open('keys')}>
          {navigation.shortcuts}
        </button>
      </p>
    </Modal>
  );
}

/** Pages that are not in the navigation. */
function OwnPages(): VNode {
  const { texts, open } = useWarbler();
  return (
    <p class="menu-actions">
      {(['bookmarks', 'filters', 'muted', 'blocked'] as const).map((page) => (
        <a key={page} class="button quiet" href={paths[page]} onClick={() => open(undefined)}>
          {texts[page].title}
        </a>
      ))}
    </p>
  );
}
