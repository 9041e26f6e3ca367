// The list of pages that every check visits. A new page of a server is added to `pages` here; a new command that serves
// pages is a new entry. `of` names the studies (studies.mjs) that have the page; without it, all have.

/** Files that llull writes, opened from disk. */
export const FILES = ['report.html'];

/** Commands that print the address of their pages as the first line of standard output; `of` as of pages. */
export const SERVERS = [
  {
    command: ['serve'],
    pages: [
      { path: '/' },
      { path: '/queries' },
      { path: '/queries?find=zzz-no-such-query' },
      { path: '/queries?sort=topics&show=differs' },
      { path: '/query/1' },
      { path: '/query/1?sort=hardest' },
      { path: '/query/1/answers' },
      { path: '/query/1/document/1' },
      { path: '/query/1/tournament', of: ['compared'] },
      { path: '/tournaments', of: ['compared'] },
      { path: '/tournaments?show=cycles&sort=cycles', of: ['compared'] },
      { path: '/judges' },
      { path: '/labels' },
      { path: '/labels?find=zzz-no-such-label' },
      { path: '/labels?sort=lowest&apart=1' },
      { path: '/people', of: ['sampled'] },
      { path: '/ledger' },
      { path: '/attempts' },
      { path: '/attempts?outcome=failed' },
      { path: '/attempt/1' },
      { path: '/live' },
    ],
  },
  { command: ['review', '--as', 'anna', '--query', 'q01'], of: ['demo'], pages: [{ path: '/pair/1' }, { path: '/list' }] },
  { command: ['review', '--query', 'q01'], of: ['demo'], pages: [{ path: '/name' }] },
  { command: ['review', '--as', 'ben'], of: ['sampled'], pages: [{ path: '/pair/20' }, { path: '/list' }, { path: '/next' }] },
  { command: ['review', '--queue', 'adjudicate', '--as', 'carla'], of: ['sampled'], pages: [{ path: '/pair/1' }, { path: '/list' }] },
  { command: ['review', '--as', 'anna'], of: ['compared'], pages: [{ path: '/pair/1' }, { path: '/list' }] },
  { command: ['review', '--as', 'anna'], of: ['hostile'], pages: [{ path: '/pair/1' }, { path: '/list' }] },
];
