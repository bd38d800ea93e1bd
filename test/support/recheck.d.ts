/** The part of the library that is used: the checker that runs in this process. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync as check } from 'recheck';

  const library: { readonly checkSync: typeof check };
  export default library;
}
