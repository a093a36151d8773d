import { postStyles } from '@linnet/ui/post-styles';

/** Where the files of the public pages are served. */
export const assetsPath = '/p/assets';

/** The stylesheets of the public pages, in addition to those of every page. */
export const pageStyles: readonly URL[] = [postStyles];
