/** Texts of the page of notifications. */
export const notifications = {
  title: 'Notifications',
  intro: 'Choose what you are notified about. This applies in every app.',
  legend: 'Notify me when someone',
  kinds: {
    mention: 'mentions me',
    reply: 'comments on my posts or comments',
    like: 'likes my posts',
    repost: 'reposts my posts',
    follow: 'follows me',
    follow_request: 'asks to follow me',
    approved: 'approves my follow request',
  },
  back: 'Notifications that you turn off are hidden, not deleted. They come back when you turn them on again.',
  save: 'Save',
  saved: 'Your choice was saved.',
};
