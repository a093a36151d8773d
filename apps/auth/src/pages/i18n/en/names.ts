const count = new Intl.NumberFormat('en');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'This contains a character that cannot be displayed. Remove it.',
  errors: {
    unprintable: 'The name contains a character that cannot be displayed. Remove it.',
    'mixed-scripts': 'The name mixes scripts that look alike, such as Latin and Cyrillic. Use one of them.',
    badge: 'Remove check marks and other signs of verification from the name.',
    reserved: 'This name could be taken for the service or its administrators. Choose another one.',
    imitates: 'This name looks like a verified one. Choose another one.',
    blocked: 'This service does not allow a word in this name. Choose another one.',
  },
  changeEndsVerification:
    'Your account is verified under its current names. If you change one of them, the verified mark is removed.',
  verification: 'Verification',
  verified: 'Verified',
  verifiedBy: (service: string) => `Verified by ${service}`,
  notVerifiedBy: (service: string) => `Not verified by ${service}`,
  applicationChangeEndsVerification:
    'This application is verified. If you change its name, logo or website, the verified mark is removed.',
  created: 'Created',
  createdRecently: 'In the last 7 days',
  usedBy: 'Used by',
  fewPeople: 'Fewer than 10 people',
  minPeople: (people: number) => `${count.format(people)}+ people`,
};
