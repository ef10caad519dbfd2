import {
  BASE_PATH_FORM,
  isBasePath,
  isControlToken,
  isHostName,
  isHttpUrl,
  isOrigin,
  isPublicUrl,
  PUBLIC_URL_FORM,
  SANDBOX_ID,
  TOKEN_FORM,
} from './contract/address.ts';
import { DURATION_FORM, isTooLong, LONGEST_DAYS, parseDuration } from './contract/duration-text.ts';
import { isObject, jsonOf } from './contract/json.ts';
import { parseMoment } from './contract/moment.ts';
import { PROFILES } from './contract/profile.ts';
import type { EmulatorOptions, ProfileName, SandboxRequest } from './public.ts';
import { didYouMean, nearest } from './scenario/nearest.ts';

/** A rule for a value: the requirement in words, and the test. */
type Rule = readonly [must: string, holds: (value: unknown) => boolean];
type Rules<T> = Readonly<Record<keyof T & string, Rule>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isFlag: Rule = ['be true or false', (value) => typeof value === 'boolean'];
const isSource = (value: unknown): boolean => isText(value) || isObject(value);
const isIdle = (ms = 0): boolean => ms > 0 && !isTooLong(ms);
const listOf =
  (holds: (text: string) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && holds(one));

const SANDBOX: Rules<SandboxRequest> = {
  id: ['be letters, digits, _ . - only, and not . or ..', (value) => isText(value) && SANDBOX_ID.test(value)],
  secret: ['be a text', isText],
  idle: [`be ${DURATION_FORM}, at most ${LONGEST_DAYS} days`, (value) => isText(value) && isIdle(parseDuration(value))],
  scenario: ['be a built-in name, a file or a scenario', isSource],
  seed: ['be a number or a text', (value) => Number.isFinite(value) || typeof value === 'string'],
  webhookUrl: ['be an http or https URL', (value) => isText(value) && isHttpUrl(value)],
  state: ['be a state that snapshot() returned', (value) => typeof value === 'object' && value !== null],
};

const { id: _, secret: __, idle: ___, ...FIRST } = SANDBOX;

const EMULATOR: Rules<EmulatorOptions<ProfileName>> = {
  ...FIRST,
  scenario: [
    'be a built-in name, a file or a scenario, or a list of them',
    (value) => (Array.isArray(value) ? value.every(isSource) : isSource(value)),
  ],
  port: [
    'be a whole number from 0 to 65535',
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  ],
  host: ['be an address to listen on', isText],
  state: ['be a file', isText],
  profile: [`be ${Object.keys(PROFILES).join(' or ')}`, (value) => isText(value) && Object.hasOwn(PROFILES, value)],
  basePath: [BASE_PATH_FORM, (value) => isText(value) && isBasePath(value)],
  auth: ['be open or known', (value) => value === 'open' || value === 'known'],
  now: ['be an ISO 8601 date-time', (value) => isText(value) && parseMoment(value) !== undefined],
  holdClock: isFlag,
  allowRemoteWebhooks: isFlag,
  coverage: ['be a folder', isText],
  allowHost: ['be a list of names such as emulator, without scheme and port', listOf(isHostName)],
  allowOrigin: ['be a list of origins such as http://localhost:3000', listOf(isOrigin)],
  tlsCert: ['be a file', isText],
  tlsKey: ['be a file', isText],
  publicUrl: [PUBLIC_URL_FORM, (value) => isText(value) && isPublicUrl(value)],
  controlToken: [TOKEN_FORM, (value) => typeof value === 'string' && isControlToken(value)],
  onBroken: ['be a function', (value) => typeof value === 'function'],
};

/** Returns a value for a sentence, cut if it is long. */
function shown(value: unknown): string {
  const isPlain = typeof value === 'object' || typeof value === 'string';
  const text = isPlain ? (jsonOf(value) ?? Object.prototype.toString.call(value)) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

function check(who: string, rules: Readonly<Record<string, Rule>>, options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${who}: the options must be an object, not ${shown(options)}`);
  const wrong = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(rules, name))
      return [`there is no option ${name}${didYouMean(nearest(name, Object.keys(rules)))}`];
    const [must, holds] = rules[name] as Rule;
    return value === undefined || holds(value)
      ? []
      : [`${name} must ${must}, not ${name === 'controlToken' ? 'what was given' : shown(value)}`];
  });
  if (wrong.length > 0) throw new TypeError(`${who}: ${wrong.join('; ')}`);
}

/** Throws a `TypeError` that names every unknown or invalid option of `startEmulator`. */
export const checkEmulatorOptions = (options: unknown): void => check('startEmulator', EMULATOR, options);

/** Throws a `TypeError` that names every unknown or invalid option of `createSandbox`. */
export const checkSandboxRequest = (request: unknown): void => check('createSandbox', SANDBOX, request);
