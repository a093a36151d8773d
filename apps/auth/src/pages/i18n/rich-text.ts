import type { ComponentChildren } from 'preact';

/** Text that may hold elements, such as a name that is set apart from the sentence around it. */
export type RichText = ComponentChildren;
