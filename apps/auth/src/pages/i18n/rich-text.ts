import type { ComponentChildren } from 'preact';

/** Text that may contain elements, such as an emphasized name. */
export type RichText = ComponentChildren;
