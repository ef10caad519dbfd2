import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { documentOf, patternsOf, TEXTS } from '../kit/patterns.ts';

const hasPython = spawnSync('python3', ['-c', 'import re']).status === 0;

const PYTHON = `
import json, re, sys
patterns, texts = json.load(sys.stdin)
print(json.dumps([[re.search(pattern, text) is not None for text in texts] for pattern in patterns]))
`;

test.runIf(hasPython || process.env['ALL_TOOLS']).each(['spec', 'grid'] as const)(
  "every pattern of a request in the document of profile %s means the same to Python's re (K2)",
  (profile) => {
    const { document, sent } = documentOf(profile);
    const patterns = [...patternsOf(document, sent).keys()];
    const input = JSON.stringify([patterns, TEXTS]);
    const seen: boolean[][] = JSON.parse(execFileSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' }));
    for (const [i, pattern] of patterns.entries())
      for (const [j, text] of TEXTS.entries())
        expect(seen[i]?.[j], `${pattern} of ${text}`).toBe(new RegExp(pattern).test(text));
  },
);
