import { resolve } from 'node:path';

/** What a setting must be. Each throws an Error whose message completes "<NAME> ...". */

const SECRET_BYTES = 32;
const TEXT_LENGTH_MAX = 2_000;

export const integer = (min: number, max: number, unit: string) => (text: string) => {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max} (${unit}), not "${text}"`);
  }
  return value;
};
export const text = (value: string) => {
  if (value.length > TEXT_LENGTH_MAX)
    throw new Error(`is longer than ${TEXT_LENGTH_MAX} characters`);
  return value;
};
export const folder = (value: string) => resolve(text(value));
export const choice =
  <const T extends string>(...values: readonly T[]) =>
  (value: string): T => {
    const found = values.find((one) => one === value);
    if (!found) throw new Error(`must be one of ${values.join(', ')}, not "${value}"`);
    return found;
  };
export const url =
  (...schemes: readonly string[]) =>
  (value: string) => {
    // The value may hold a password: no message repeats it.
    const scheme = /^([a-z+]+):\/\/[^/]/.exec(value)?.[1];
    if (!scheme || !schemes.includes(scheme)) {
      throw new Error(
        `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
      );
    }
    return text(value);
  };
export const secret = (value: string) => {
  if (!/^[0-9a-fA-F]+$/.test(value) || value.length !== SECRET_BYTES * 2) {
    throw new Error(
      `must be ${SECRET_BYTES * 2} hexadecimal digits (openssl rand -hex ${SECRET_BYTES})`,
    );
  }
  return Buffer.from(value, 'hex');
};
export const names = (value: string) =>
  text(value)
    .split(',')
    .map((name) => name.trim());

const FIGURE_TEXT_MAX = 12;
export const fourTextsOrLive = (value: string): 'live' | readonly string[] => {
  if (value === 'live') return value;
  const texts = names(value);
  if (texts.length !== 4 || texts.some((one) => one === '' || one.length > FIGURE_TEXT_MAX)) {
    throw new Error(`must be "live", or four texts of 1 to ${FIGURE_TEXT_MAX} characters by comma`);
  }
  return texts;
};
