/** Texts of the page of notifications. */
export const notifications = {
  title: 'Notifications',
  intro: 'Choose what you are notified of. This applies in every app.',
  legend: 'Notify me when someone',
  kinds: {
    mention: 'mentions me',
    reply: 'replies to my posts and comments',
    like: 'likes my posts',
    repost: 'reposts my posts',
    follow: 'follows me',
    follow_request: 'asks to follow me',
    approved: 'approves my follow request',
  },
  back: 'What you turn off is hidden, not lost: it is back as soon as you turn it on again.',
  save: 'Save',
  saved: 'Your choice was saved.',
};
