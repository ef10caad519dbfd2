import { Choice } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { subjectIn, subjectName } from './about.ts';

/** The resource to which a list is narrowed, as one more choice of its filter. */
export const AboutChoice = ({ visit }: { visit: PageContext }) => {
  const subject = subjectIn(visit);
  const id = subject?.found.row.id;
  return subject && id ? (
    <Choice name="about" label="About" any="About anything" options={[[id, subjectName(visit, subject)]]} value={id} />
  ) : null;
};
