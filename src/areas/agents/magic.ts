/** The decisions of policy `agent.decide` by the last three characters of the agent's name; it approves any other. */
export const DECISIONS: Readonly<Record<string, 'reject'>> = { '002': 'reject' };
