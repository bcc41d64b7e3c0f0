/** Runs before each test file: none begins just before a new day (UTC), as tests compare the days of what they do. */
import { setTimeout as pause } from 'node:timers/promises';
import { untilNewDayMs } from './day.ts';

await pause(untilNewDayMs(Date.now()));
