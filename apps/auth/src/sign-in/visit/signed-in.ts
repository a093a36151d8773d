import type { BrowserSession } from '../../protocol/session/session.ts';
import type { Frame, Viewer } from '../../pages/frame/frame.ts';

/** A person who is signed in, and the frame of pages for them. */
export interface SignedIn {
  readonly session: BrowserSession;
  readonly viewer: Viewer;
  readonly frame: Frame;
}
