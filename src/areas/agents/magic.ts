/**
 * The decisions of the policy `agent.decide` by the last three characters of the agent's name; any other name is
 * approved.
 */
export const DECISIONS: Readonly<Record<string, 'reject'>> = { '002': 'reject' };
