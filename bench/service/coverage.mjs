/**
 * Preloaded into a service: at each SIGUSR2, writes the files of the service whose functions ran since
 * the one before to the file that COVERAGE_FILE names, as a JSON array.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', () => {
  // Taking the counts sets them to 0.
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const ran = result
      .filter(({ url }) => url.includes('/dist/') && !url.includes('/node_modules/'))
      .filter(({ functions }) => functions.some(({ ranges: [{ count }] }) => count > 0))
      .map(({ url }) => url.replace(/^.*\/dist\//, '').replace(/\.js$/, '.ts'));
    writeFileSync(process.env.COVERAGE_FILE, JSON.stringify(ran.toSorted()));
  });
});
