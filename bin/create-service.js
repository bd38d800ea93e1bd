#!/usr/bin/env node
// Keeps compiled code between runs where Node can (22.1 and later), then starts the command line.
import module from 'node:module';

module.enableCompileCache?.();
const { main } = await import('../dist/cli.js');
await main();
