/**
 * Your own rules for constructors: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Constructor, ConstructorValues } from './schema.ts';

export const constructorHooks: Hooks<Constructor, ConstructorValues> = {};
