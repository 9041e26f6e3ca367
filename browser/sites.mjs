// The list of pages that every check visits. A new page of a server is added to `pages` here; a new command that serves
// pages is a new entry. `of` names the studies (studies.mjs) that have the page; without it, all have.

/** Files that llull writes, opened from disk. */
export const FILES = ['report.html'];

/** Commands that print the address of their pages as the first line of standard output. */
export const SERVERS = [
  {
    command: ['serve'],
    pages: [
      { path: '/' },
      { path: '/queries' },
      { path: '/queries?find=zzz-no-such-query' },
      { path: '/queries?sort=hardest&show=differs' },
      { path: '/query/1' },
      { path: '/query/1/answers' },
    ],
  },
];
