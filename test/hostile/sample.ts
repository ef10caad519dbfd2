type Json = Readonly<Record<string, unknown>>;

const FORMATS: Readonly<Record<string, unknown>> = {
  date: '1990-01-02',
  'date-time': '2030-01-05T09:00:00Z',
  email: 'ada@example.com',
  uri: 'https://app.example/done',
  uuid: '00000000-0000-4000-8000-000000000000',
};

const jsons = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** A value of the first variant of an unfolded schema, with the members that it requires. */
export function sampleOf(schema: unknown): unknown {
  const at = (schema ?? {}) as Json;
  for (const known of [at['const'], at['default'], jsons(at['examples'])[0], jsons(at['enum'])[0]])
    if (known !== undefined) return known;
  const members = at['properties'] as Json | undefined;
  const [first] = [...jsons(at['oneOf']), ...jsons(at['anyOf'])];
  if (!members && first) return sampleOf(first);
  if (members)
    return Object.fromEntries(
      (at['required'] as string[] | undefined)?.map((name) => [name, sampleOf(members[name])]) ?? [],
    );
  if (at['items']) return [sampleOf(at['items'])];
  if (at['type'] === 'integer' || at['type'] === 'number') return Math.max(Number(at['minimum'] ?? 1), 1);
  if (at['type'] === 'boolean') return true;
  if (at['type'] === 'object') return {};
  return FORMATS[String(at['format'])] ?? 'text'.padEnd(Number(at['minLength'] ?? 0), 't');
}
