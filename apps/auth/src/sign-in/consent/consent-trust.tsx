import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';

/** Who an application comes from. */
export interface Origin {
  /** Undefined: it registered itself, or has `clientHost`. */
  readonly ownerUsername: string | undefined;
  /** It is the API Explorer of this service. */
  readonly isBuiltIn?: boolean;
  /** Host of its metadata document, if its `client_id` is a URL. */
  readonly clientHost?: string | undefined;
  /** Host of the redirect URI; its scheme if it has no host (native applications). */
  readonly redirectHost: string;
  /** The response is sent to a program on the person's device. */
  readonly isOnDevice?: boolean;
}

interface TrustProps {
  readonly frame: Frame;
  readonly application: Origin;
}

/** Whom the person has to trust: the owner, the host of the client, or where the response is sent. */
export function Trust({ frame, application }: TrustProps): VNode {
  const { consent: texts } = frame.messages;
  const { ownerUsername, redirectHost, clientHost, isOnDevice = false } = application;
  if (application.isBuiltIn === true) return <p class="small">{texts.builtInTrust(frame.serviceName)}</p>;
  if (ownerUsername !== undefined) {
    const owner = <UserText strong text={`@${ownerUsername}`} />;
    return <p class="small">{texts.trust(owner)}</p>;
  }
  if (clientHost !== undefined) {
    const host = <UserText strong text={clientHost} />;
    return (
      <div data-testid="unverified-host">
        <Notice kind="warning">
          {texts.unverifiedHost(frame.serviceName, host)} {isOnDevice ? texts.onDevice(host) : null}
        </Notice>
      </div>
    );
  }
  return (
    <div data-testid="self-registered">
      <Notice kind="warning">{texts.unverified(frame.serviceName, <UserText strong text={redirectHost} />)}</Notice>
    </div>
  );
}

/** Who made the application, as far as it is known. */
export function Developer({ frame, application }: TrustProps): VNode {
  const { consent: texts } = frame.messages;
  const { ownerUsername, clientHost } = application;
  if (application.isBuiltIn === true) return <span>{texts.builtIn(frame.serviceName)}</span>;
  if (ownerUsername !== undefined) return <UserText text={`@${ownerUsername}`} />;
  return (
    <span>
      {clientHost === undefined ? texts.selfRegistered : texts.documented(<UserText strong text={clientHost} />)}
    </span>
  );
}
