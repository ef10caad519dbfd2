/** The book of calls: how to call each operation, the calls that lead to an event, and calls as text. */
export { call } from './call.ts';
export { curl } from './code/curl.ts';
export { codeOf } from './code/index.ts';
export { shownCall } from './code/shown-call.ts';
export { describe } from './describe.ts';
export { findOperations, listedOperations } from './find-operations.ts';
export { record } from './record/index.ts';
export { CLIENT_KEY } from './samples.ts';
export { TOPICS } from './topics/catalogue.ts';
export { findTopics, type Topic, waysTo } from './topics/find.ts';
export { trigger, triggerable } from './trigger/trigger.ts';
export { Builder } from './walk/builder.ts';
export * from './walk/plan.ts';
export { Replies, SIGNATURE } from './walk/replies.ts';
