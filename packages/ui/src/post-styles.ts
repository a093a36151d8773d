import { assetsFolder } from './stylesheet.ts';

/** The stylesheet of posts, comments and profiles (`post.tsx`). */
export const postStyles = new URL('style/posts.css', assetsFolder);
